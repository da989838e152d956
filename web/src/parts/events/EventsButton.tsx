import { Button } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import { useAt } from '../../past-search.ts'
import { BellIcon } from '../../ui/icons.tsx'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { useStream } from '../fleet/use-live-fleet.ts'
import { useAlertChoice } from './event-alerts.ts'
import { useEventsInUrl } from './events-in-url.ts'

const EventsDrawer = lazy(() =>
  importWithRetry(() => import('./EventsDrawer.tsx')).then((it) => ({ default: it.EventsDrawer })),
)
const EventAlerts = lazy(() =>
  importWithRetry(() => import('./EventAlerts.tsx')).then((it) => ({ default: it.EventAlerts })),
)

interface EventsButtonProps {
  /** Only events of this line. */
  terminal?: string
  size?: string
  /** Whether the page already follows the stream. */
  isLive?: boolean
  /** Only an icon, where there is no room for the word. */
  isIcon?: boolean
}

/** Opens the list of events next to the page. */
export function EventsButton({ terminal, size, isLive = false, isIcon = false }: EventsButtonProps) {
  const { shown, show } = useEventsInUrl()
  const at = useAt()
  const button = useRef<HTMLButtonElement>(null)
  const [wasPressed, setWasPressed] = useState(false)
  const { choice, choose } = useAlertChoice()
  const isOpen = shown !== undefined
  const alerts = terminal === undefined && (choice.notifies || choice.sounds)
  const close = () => {
    show(undefined)
    button.current?.focus()
  }
  const open = () => {
    setWasPressed(true)
    show('all')
  }
  return (
    <>
      <Button
        ref={button}
        variant="default"
        size={size}
        aria-expanded={isOpen}
        onClick={isOpen ? close : open}
        {...(isIcon && { 'aria-label': 'Events', w: 'var(--touch)', h: 'var(--touch)', px: 0 })}
      >
        {isIcon ? <BellIcon /> : 'Events'}
      </Button>
      {!isLive && at === undefined && (isOpen || alerts) && <Stream />}
      <Suspense>
        {isOpen && (
          <EventsDrawer
            terminal={terminal}
            shown={shown}
            onShow={show}
            choice={choice}
            onChoice={choose}
            takesFocus={wasPressed}
            onClose={close}
          />
        )}
        {alerts && <EventAlerts choice={choice} />}
      </Suspense>
    </>
  )
}

/** For a page that does not follow the stream itself. */
function Stream() {
  useStream()
  return null
}
