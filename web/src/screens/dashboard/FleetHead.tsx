import { Link } from '@tanstack/react-router'
import { useDeferredValue, useMemo } from 'react'
import { formatCount } from '#contract/format/numbers.ts'
import type { Past } from '#contract/past.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import { needsAttention } from '../../parts/fleet/list-order.ts'
import { isObserved } from '../../parts/past/past-words.ts'
import { shownStatus } from '../../parts/status.ts'
import { LargeNumber } from '../../ui/LargeNumber.tsx'
import classes from './FleetHead.module.css'
import { formatShare, Ring, Trend, useMonthShare } from './fleet-figures.tsx'

interface FleetHeadProps {
  terminals: readonly TerminalListItem[]
  halfHour: number | undefined
  isPast: boolean
  /** How much is known of that time. */
  past: Past | undefined
  /** Moves terminals that need attention to the top of the list. */
  onAttention: () => void
}

/** Figures of the health of the fleet: now, in the last 24 hours and in this month. */
export function FleetHead({ terminals, halfHour, isPast, past, onAttention }: FleetHeadProps) {
  const all = useDeferredValue(terminals)
  const { online, attention } = useMemo(
    () => ({
      online: all.filter((terminal) => shownStatus(terminal) === 'online').length,
      attention: all.filter(needsAttention).length,
    }),
    [all],
  )
  const month = useMonthShare({ enabled: !isPast })
  const isKnown = past === undefined || isObserved(past)
  const share = all.length === 0 || !isKnown ? 0 : online / all.length
  return (
    <>
      <div className={classes.figure}>
        <Ring share={share} />
        <LargeNumber className={classes.number}>{isKnown ? formatShare(share, 1) : '-'}</LargeNumber>
        <span className={classes.label}>
          online
          {isKnown && <span className={classes.more}>, {`${formatCount(online)} of ${formatCount(all.length)}`}</span>}
        </span>
      </div>
      {!isPast && (
        <Link to="/availability" className={classes.figure} title={month.reason}>
          <LargeNumber className={classes.number}>{month.text}</LargeNumber>
          <span className={classes.label}>
            <span className={classes.more}>available </span>this month
          </span>
        </Link>
      )}
      <button
        type="button"
        className={classes.figure}
        onClick={onAttention}
        disabled={attention === 0 || !isKnown}
        title={isKnown ? (attention === 0 ? 'No terminal needs attention.' : undefined) : 'Nothing was observed then.'}
      >
        <LargeNumber className={classes.number}>{isKnown ? formatCount(attention) : '-'}</LargeNumber>
        <span className={classes.label}>{isKnown && attention === 1 ? 'needs attention' : 'need attention'}</span>
      </button>
      {halfHour !== undefined && <Trend terminals={all} halfHour={halfHour} />}
    </>
  )
}
