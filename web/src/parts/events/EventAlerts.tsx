import { useEffect, useRef } from 'react'
import type { FleetEvent } from '#contract/events.ts'
import { formatCount } from '#contract/format/numbers.ts'
import type { AlertChoice } from './event-alerts.ts'
import { playSound } from './sound.ts'
import { useEvents } from './use-events.ts'

/** More events than this at once are combined into one notification. */
const MAX_SINGLE = 3

const show = (title: string, body: string, tag: string) => {
  // The tag dedupes it across tabs.
  const notification = new Notification(title, { body, tag })
  notification.onclick = () => {
    window.focus()
    notification.close()
  }
}

const notify = (trouble: readonly FleetEvent[]) => {
  const [first] = trouble
  if (!first || !('Notification' in window) || Notification.permission !== 'granted') return
  if (trouble.length > MAX_SINGLE) return show(`${formatCount(trouble.length)} events`, first.name, first.id)
  for (const { id, name, text } of trouble) show(name, text, id)
}

/** Notifies of problems that occur while the page is open. Renders nothing. */
export function EventAlerts({ choice: { notifies, sounds } }: { choice: AlertChoice }) {
  const { events } = useEvents({})
  const seenId = useRef<string>(undefined)
  useEffect(() => {
    const newestId = events?.[0]?.id
    if (!events || newestId === undefined) return
    const known = seenId.current
    seenId.current = newestId
    if (known === undefined || known === newestId) return
    const knownAt = events.findIndex(({ id }) => id === known)
    const trouble = (knownAt < 0 ? events : events.slice(0, knownAt)).filter(({ isTrouble }) => isTrouble)
    if (trouble.length === 0) return
    if (notifies) notify(trouble)
    if (sounds) playSound()
  }, [events, notifies, sounds])
  return null
}
