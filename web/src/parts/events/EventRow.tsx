import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { EventKind, FleetEvent } from '#contract/events.ts'
import { formatExactTime } from '#contract/format/times.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { StatusShape } from '../StatusMark.tsx'
import classes from './EventRow.module.css'

/** Each kind has its own outline, in the style of the status shapes. */
const outlines: Record<Exclude<EventKind, 'status'>, string> = {
  alert: 'M6 1 11.5 11H.5Z',
  incident: 'M1 3h10M1 6h10M1 9h10',
  command: 'M1 1.5 7 6 1 10.5M7 10.5h4',
  pool: 'M1 11V6h3v5M4 11V3h3v8M7 11V1h3v10',
}

export const EventShape = ({ event: { kind, status } }: { event: Pick<FleetEvent, 'kind' | 'status'> }) =>
  kind === 'status' ? (
    <StatusShape status={status ?? 'no data'} />
  ) : (
    <svg viewBox="0 0 12 12" className={classes.shape} aria-hidden="true">
      <path d={outlines[kind]} />
    </svg>
  )

function EventLink({ event, children }: { event: FleetEvent; children: ReactNode }) {
  const { terminal, incident } = event
  if (terminal !== null)
    return (
      <Link to="/terminal/$kitnumber" params={{ kitnumber: terminal }} preload={false}>
        {children}
      </Link>
    )
  if (incident !== null)
    return (
      <Link to="/incidents/$id" params={{ id: incident }} preload={false}>
        {children}
      </Link>
    )
  return (
    <Link to="/plan-manager" preload={false}>
      {children}
    </Link>
  )
}

/** An event with its age, and its exact time on hover or focus. */
export function EventRow({ event, nowMs }: { event: FleetEvent; nowMs: number }) {
  return (
    <li className={classes.row} data-trouble={event.isTrouble || undefined}>
      <span className={classes.mark}>
        <EventShape event={event} />
      </span>
      <span className={classes.what}>
        <EventLink event={event}>{event.name}</EventLink> {event.text}
        <span className={classes.exact}>{formatExactTime(event.at)}</span>
      </span>
      <span className={classes.age}>
        <TimeAgo at={event.at} nowMs={nowMs} />
      </span>
    </li>
  )
}
