import type { LogEntry } from '#contract/audit.ts'

/** The entries of one change, newest first. */
export interface EntryGroup {
  first: LogEntry
  entries: readonly LogEntry[]
}

/** Groups adjacent entries of one change, such as the users of an import: they have the same performer and time. */
export function groupEntries(entries: readonly LogEntry[]): EntryGroup[] {
  const groups: { first: LogEntry; entries: LogEntry[] }[] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    const isSameChange =
      last?.first.actionPerformer === entry.actionPerformer &&
      last.first.actionTime.getTime() === entry.actionTime.getTime()
    if (isSameChange) last.entries.push(entry)
    else groups.push({ first: entry, entries: [entry] })
  }
  return groups
}
