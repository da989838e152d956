import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { type EventKind, eventKindNames, eventKinds } from '#contract/events.ts'
import { formatCounted } from '#contract/format/numbers.ts'
import { getErrorMessage } from '../../api.ts'
import { useAt } from '../../past-search.ts'
import { Failure } from '../../ui/Failure.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useStream } from '../fleet/use-live-fleet.ts'
import { AlertSwitches } from './AlertSwitches.tsx'
import { EventRow } from './EventRow.tsx'
import classes from './EventsDrawer.module.css'
import type { AlertChoice } from './event-alerts.ts'
import { useEvents } from './use-events.ts'

interface EventsDrawerProps {
  terminal: string | undefined
  choice: AlertChoice
  onChoice: (choice: AlertChoice) => void
  onClose: () => void
}

/** What happened, beside the page, which stays usable. */
export function EventsDrawer({ terminal, choice, onChoice, onClose }: EventsDrawerProps) {
  const at = useAt()
  const [kind, setKind] = useState<EventKind>()
  const drawer = useRef<HTMLElement>(null)
  useEffect(() => drawer.current?.focus(), [])
  const query = useEvents({ terminal, kinds: kind && [kind], at })
  const { events } = query
  return (
    <aside
      ref={drawer}
      className={classes.drawer}
      aria-label="Events"
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      {terminal !== undefined && at === undefined && <Stream />}
      <div className={classes.head}>
        <h2>Events</h2>
        <ActionIcon variant="subtle" color="gray" size="var(--touch)" aria-label="Close events" onClick={onClose}>
          <CloseIcon />
        </ActionIcon>
      </div>
      <fieldset className={classes.kinds}>
        <legend className="visually-hidden">Kind</legend>
        {[undefined, ...eventKinds].map((each) => (
          <button key={each ?? 'all'} type="button" aria-pressed={kind === each} onClick={() => setKind(each)}>
            {each ? eventKindNames[each] : 'All'}
          </button>
        ))}
      </fieldset>
      {terminal === undefined && at === undefined && <AlertSwitches choice={choice} onChoice={onChoice} />}
      {query.isError && !events && (
        <Failure
          what="The events could not be loaded."
          why={getErrorMessage(query.error)}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.isPending && <Skeleton height={320} m={16} radius={12} role="status" aria-label="Loading..." />}
      {events && <EventList key={`${kind} ${at}`} events={events} />}
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

/** The page of a terminal has no stream of its own. */
function Stream() {
  useStream()
  return null
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
