import type { Profile } from '#contract/profile.ts'

export type Choice = Profile['terminalList'][number]

const longestName = 25

export const getDisplayName = ({ customname, nickname }: Choice) => customname ?? nickname

/** Counts code points, so that no character is split. */
export function cutName(name: string) {
  const letters = [...name]
  return letters.length > longestName ? `${letters.slice(0, longestName).join('')}…` : name
}

export function findChoices(choices: readonly Choice[], search: string) {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return choices
  return choices.filter((choice) => `${getDisplayName(choice)} ${choice.nickname}`.toLowerCase().includes(wanted))
}
