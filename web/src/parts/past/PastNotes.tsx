import type { Past } from '#contract/past.ts'
import classes from './PastBar.module.css'
import { describeLimits } from './past-words.ts'

/** What is unknown about the displayed time. */
export function PastNotes({ past }: { past: Past }) {
  const sentences = describeLimits(past)
  return sentences.length === 0 ? null : <p className={classes.notes}>{sentences.join(' ')}</p>
}
