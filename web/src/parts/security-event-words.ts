import { type SecurityEventKind, securityEventKinds } from '#contract/security-event-kinds.ts'

/** The name of a kind; the code itself if a newer server sends one that this page does not know. */
export const nameEvent = (kind: string) => securityEventKinds[kind as SecurityEventKind] ?? kind

/** 'role: user → admin, sessions: 2'. */
export const describeDetails = (details: Record<string, unknown>) =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')
