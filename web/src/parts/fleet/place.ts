import type { TerminalListItem } from '#contract/terminals.ts'

/** 'Nome, AK', or as much of it as is known. */
export const formatPlace = ({ city, state, street }: Pick<TerminalListItem, 'street' | 'city' | 'state'>) =>
  [city || street, state].filter(Boolean).join(', ') || '-'

/** Street, city and state, or as much of it as is known. */
export const formatAddress = ({ street, city, state }: Pick<TerminalListItem, 'street' | 'city' | 'state'>) =>
  [street, city, state].filter(Boolean).join(', ')
