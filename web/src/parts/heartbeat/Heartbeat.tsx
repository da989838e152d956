import { memo } from 'react'
import { describeHeartbeat, HALF_HOURS, type HeartbeatState, readHeartbeat } from '#contract/heartbeat.ts'
import classes from './Heartbeat.module.css'

interface HeartbeatProps {
  /** As in the list. */
  text: string
  /** The half hour that it ends with. */
  last: number
}

/** Each state has its own height, so that color is never the only cue. */
const tops: Record<Exclude<HeartbeatState, 'not observed'>, number> = { up: 4, 'partly down': 2, down: 0 }

/** All half hours of a state as one path, with adjacent ones as one rectangle. */
function buildPath(states: readonly HeartbeatState[], wanted: keyof typeof tops) {
  let path = ''
  for (let from = 0; from < states.length; from++) {
    if (states[from] !== wanted) continue
    let until = from
    while (states[until] === wanted) until++
    path += `M${from} ${tops[wanted]}H${until}V6H${from}Z`
    from = until
  }
  return path
}

/** Hatched by vertical bars, because the drawing is stretched horizontally. */
const buildHatch = (states: readonly HeartbeatState[]) =>
  states.map((state, at) => (state === 'not observed' ? `M${at} 0h.2v6h-.2ZM${at + 0.5} 0h.2v6h-.2Z` : '')).join('')

/** The last 24 hours, with the newest at the right. */
export const Heartbeat = memo(function Heartbeat({ text, last }: HeartbeatProps) {
  const states = readHeartbeat(text, last)
  return (
    <svg className={classes.strip} viewBox={`0 0 ${HALF_HOURS} 6`} preserveAspectRatio="none" role="img">
      <title>{describeHeartbeat(text, last)}</title>
      <path className={classes.unknown} d={buildHatch(states)} />
      <path className={classes.up} d={buildPath(states, 'up')} />
      <path className={classes.down} d={buildPath(states, 'partly down') + buildPath(states, 'down')} />
    </svg>
  )
})
