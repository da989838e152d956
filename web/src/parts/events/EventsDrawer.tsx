import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { type EventKind, eventKindNames, eventKinds } from '#contract/events.ts'
import { formatCounted } from '#contract/format/numbers.ts'
import { useAt } from '../../past-search.ts'
import { CloseIcon } from '../../ui/icons.tsx'
import { useNow } from '../../ui/use-now.ts'
import { QueryFailure } from '../QueryFailure.tsx'
import { AlertSwitches } from './AlertSwitches.tsx'
import { EventRow } from './EventRow.tsx'
import classes from './EventsDrawer.module.css'
import type { AlertChoice } from './event-alerts.ts'
import { useEvents } from './use-events.ts'

interface EventsDrawerProps {
  terminal: string | undefined
  /** The listed kinds, comma-separated; any other text means all of them. */
  shown: string
  onShow: (shown: string) => void
  choice: AlertChoice
  onChoice: (choice: AlertChoice) => void
  /** Whether the user opened it, rather than the URL. */
  takesFocus: boolean
  onClose: () => void
}

const readKinds = (shown: string) => {
  const names = shown.split(',')
  return eventKinds.filter((kind) => names.includes(kind))
}

/** The list of events next to the page, which stays usable. */
export function EventsDrawer(props: EventsDrawerProps) {
  const { terminal, shown, onShow, choice, onChoice, takesFocus, onClose } = props
  const at = useAt()
  const kinds = readKinds(shown)
  const toggle = (kind: EventKind) =>
    onShow(eventKinds.filter((each) => kinds.includes(each) !== (each === kind)).join(',') || 'all')
  const drawer = useRef<HTMLElement>(null)
  useEffect(() => {
    if (takesFocus) drawer.current?.focus()
  }, [takesFocus])
  useEffect(() => {
    // Also when nothing has the focus, but not when another element has it, such as a menu.
    const closeByKey = ({ key, target }: KeyboardEvent) => {
      if (key === 'Escape' && (target === document.body || drawer.current?.contains(target as Node))) onClose()
    }
    document.addEventListener('keydown', closeByKey)
    return () => document.removeEventListener('keydown', closeByKey)
  })
  const query = useEvents({ terminal, kinds: kinds.length > 0 ? kinds : eventKinds, at })
  const { events } = query
  return (
    <aside ref={drawer} className={classes.drawer} aria-label="Events" tabIndex={-1}>
      <div className={classes.head}>
        <h2>Events</h2>
        <ActionIcon variant="subtle" color="gray" size="var(--touch)" aria-label="Close events" onClick={onClose}>
          <CloseIcon />
        </ActionIcon>
      </div>
      <fieldset className={classes.kinds}>
        <legend className="visually-hidden">Kind</legend>
        <button type="button" aria-pressed={kinds.length === 0} onClick={() => onShow('all')}>
          All
        </button>
        {eventKinds.map((kind) => (
          <button key={kind} type="button" aria-pressed={kinds.includes(kind)} onClick={() => toggle(kind)}>
            {eventKindNames[kind]}
          </button>
        ))}
      </fieldset>
      {terminal === undefined && at === undefined && <AlertSwitches choice={choice} onChoice={onChoice} />}
      {query.isError && !events && <QueryFailure what="The events could not be loaded." query={query} />}
      {query.isPending && (
        <div className={classes.loading} role="status" aria-label="Loading...">
          {Array.from({ length: 8 }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are the same
            <Skeleton key={row} height={24} />
          ))}
        </div>
      )}
      {events && <EventList key={`${kinds} ${at}`} events={events} />}
      {events?.length === 0 && <p className={classes.empty}>What happens to terminals and pools appears here.</p>}
      {query.hasNextPage && (
        <Button
          variant="subtle"
          className={classes.more}
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show earlier events
        </Button>
      )}
    </aside>
  )
}

function EventList({ events }: { events: NonNullable<ReturnType<typeof useEvents>['events']> }) {
  const nowMs = useNow(10_000)
  const [firstId] = useState(events[0]?.id)
  const newCount = firstId === undefined ? 0 : events.findIndex(({ id }) => id === firstId)
  return (
    <>
      <p role="status" className="visually-hidden">
        {newCount > 0 && formatCounted(newCount, 'new event')}
      </p>
      <ol className={classes.list}>
        {events.map((event) => (
          <EventRow key={event.id} event={event} nowMs={nowMs} />
        ))}
      </ol>
    </>
  )
}
