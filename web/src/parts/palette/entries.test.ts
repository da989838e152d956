import { expect, test } from 'vitest'
import type { TerminalListItem } from '#contract/terminals.ts'
import { listEntries, type Sources } from './entries.ts'
import { createFuzzyIndex } from './fuzzy-search.ts'

const terminal = (id: string, customname: string, change: Partial<TerminalListItem> = {}): TerminalListItem => ({
  id,
  deviceID: `ut0${id}`,
  serviceLine: `SL-${id}`,
  nickname: `line-${id}`,
  customname,
  status: 'online',
  alerts: [],
  isMobile: false,
  coordinates: null,
  street: null,
  city: 'Nome',
  state: 'AK',
  lastSeen: null,
  ...change,
})
const terminals = [
  terminal('1', 'Nome School'),
  terminal('2', 'Nome Clinic', { status: 'offline' }),
  terminal('3', 'Utqiaġvik Lodge', { city: 'Utqiaġvik', status: 'offline' }),
]
const pages = [
  { path: '/dashboard', label: 'Dashboard' },
  { path: '/incidents', label: 'Incidents' },
]
const user = {
  user_id: 'U1',
  email: 'ada@mail.example',
  username: 'north',
  customerName: 'Ada Nome',
  company: 'Acme',
  role: 'user' as const,
  activeSessions: 0,
  lastSignIn: null,
  initialPasswordExpires: null,
  hasSecondFactor: false,
}
const sources: Sources = {
  terminals,
  terminalIndex: createFuzzyIndex(terminals, ({ customname, city }) => `${customname}\n${city}`),
  pageIndex: createFuzzyIndex(pages, ({ label }) => label),
  userIndex: createFuzzyIndex([user], ({ customerName, email }) => `${customerName}\n${email}`),
  poolIndex: createFuzzyIndex([], () => ''),
  viewIndex: createFuzzyIndex([], () => ''),
  pages,
  mayReboot: true,
  isDark: false,
  context: { nowMs: 0, pools: undefined },
}
const list = (search: string, change: Partial<Sources> = {}) =>
  listEntries(search, { ...sources, ...change }).map(({ group, label }) => `${group}: ${label}`)

test('finds terminals and people by a few letters, with typing errors and without accents', () => {
  expect(list('nome')).toEqual(['Terminals: Nome Clinic', 'Terminals: Nome School', 'People: Ada Nome'])
  expect(list('nmoe schol')).toEqual(['Terminals: Nome School'])
  expect(list('utqiagvik')).toEqual(['Terminals: Utqiaġvik Lodge'])
  expect(list('school nome')).toEqual(['Terminals: Nome School'])
})

test('offers to reboot a terminal to those who may', () => {
  expect(list('reboot nome sch')).toEqual(['Actions: Reboot Nome School…'])
  expect(list('reb lodge')).toEqual(['Actions: Reboot Utqiaġvik Lodge…'])
  expect(list('reboot nome sch', { mayReboot: false })).toEqual([])
})

test('reads fields, and leads to the list of all that match', () => {
  expect(list('status:offline')).toEqual([
    'Terminals: Show all 2 terminals in the list',
    'Terminals: Nome Clinic',
    'Terminals: Utqiaġvik Lodge',
  ])
  expect(list('status:offline lodge')).toEqual(['Terminals: Utqiaġvik Lodge'])
  const [all] = listEntries('status:offline ', sources)
  expect(all?.target).toEqual({ kind: 'fleet', search: 'status:offline' })
})

test('an empty search shows the pages and the fields', () => {
  const entries = list(' ')
  expect(entries.slice(0, 3)).toEqual(['Pages: Dashboard', 'Pages: Incidents', 'Search by: status:'])
})

test('finds pages and the other color scheme', () => {
  expect(list('incid')).toContain('Pages: Incidents')
  expect(list('dark')).toContain('Actions: Use dark colors')
  expect(list('light', { isDark: true })).toContain('Actions: Use light colors')
})
