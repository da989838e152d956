import type { TerminalListItem } from '#contract/terminals.ts'

/** 'Nome, AK', or as much of it as is known. */
export const placeOf = ({ city, state, street }: Pick<TerminalListItem, 'street' | 'city' | 'state'>) =>
  [city || street, state].filter(Boolean).join(', ') || '-'

/** Street, city and state, or as much of it as is known. */
export const addressOf = ({ street, city, state }: Pick<TerminalListItem, 'street' | 'city' | 'state'>) =>
  [street, city, state].filter(Boolean).join(', ')
