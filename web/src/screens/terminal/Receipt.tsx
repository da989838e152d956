import type { CommandReceipt } from '#contract/command-receipt.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import classes from './Receipt.module.css'
import { stateTexts } from './receipts.ts'

const ageIntervalMs = 5000

/** The state of the newest command, with its time and who requested it. */
export function Receipt({ receipt }: { receipt: CommandReceipt | undefined }) {
  const nowMs = useNow(ageIntervalMs)
  if (!receipt) return null
  const { state, desired, requestedBy, requestedAt, acceptedAt, settledAt, problem } = receipt
  const reachedAt = settledAt ?? (state === 'accepted' ? acceptedAt : null)
  return (
    <p className={classes.receipt} data-state={state} role="status">
      {desired !== null && <span>{desired}: </span>}
      <strong>{stateTexts[state]}</strong>
      {reachedAt && (
        <>
          {' '}
          <TimeAgo at={reachedAt} nowMs={nowMs} />
        </>
      )}
      . Requested <TimeAgo at={requestedAt} nowMs={nowMs} /> by {requestedBy}.{problem && ` ${problem}`}
    </p>
  )
}
