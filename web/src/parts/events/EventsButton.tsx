import { Button } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { useAlertChoice } from './event-alerts.ts'

const EventsDrawer = lazy(() =>
  importWithRetry(() => import('./EventsDrawer.tsx')).then((it) => ({ default: it.EventsDrawer })),
)
const EventAlerts = lazy(() =>
  importWithRetry(() => import('./EventAlerts.tsx')).then((it) => ({ default: it.EventAlerts })),
)

interface EventsButtonProps {
  /** Only what concerns this line. */
  terminal?: string
  size?: string
  /** Whether the list is open, where the button changes its place and must not forget it. */
  opened?: readonly [boolean, (isOpen: boolean) => void]
}

/** Opens the list of what happened, beside the page. */
export function EventsButton({ terminal, size, opened }: EventsButtonProps) {
  const own = useState(false)
  const [isOpen, setIsOpen] = opened ?? own
  const button = useRef<HTMLButtonElement>(null)
  const { choice, choose } = useAlertChoice()
  const close = () => {
    setIsOpen(false)
    button.current?.focus()
  }
  return (
    <>
      <Button
        ref={button}
        variant="default"
        size={size}
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : setIsOpen(true))}
      >
        Events
      </Button>
      <Suspense>
        {isOpen && <EventsDrawer terminal={terminal} choice={choice} onChoice={choose} onClose={close} />}
        {terminal === undefined && (choice.notifies || choice.sounds) && <EventAlerts choice={choice} />}
      </Suspense>
    </>
  )
}
