import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSearch, searchFields } from '#contract/search-terms.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import { suggestTerms } from './search-suggestions.ts'

const HOUR_MS = 3_600_000
const nowMs = Date.UTC(2026, 10, 17, 12)

const terminal = (change: Partial<TerminalListItem>): TerminalListItem => ({
  id: 'T1',
  deviceID: 'ut0100',
  serviceLine: 'SL-1',
  nickname: 'nome-school',
  customname: 'Nome School',
  status: 'online',
  alerts: [],
  isMobile: false,
  coordinates: null,
  street: 'Front St',
  city: 'Nome',
  state: 'AK',
  lastSeen: new Date(nowMs - 60_000),
  ...change,
})
const school = terminal({})
const boat = terminal({
  id: 'T2',
  nickname: 'dawn',
  customname: 'F/V Dawn',
  isMobile: true,
  city: 'Dutch Harbor',
  alerts: ['disabled_roam_restricted'],
  lastSeen: new Date(nowMs - 26 * HOUR_MS),
})
const lodge = terminal({
  id: 'T3',
  nickname: 'lodge',
  customname: 'Lodge',
  status: 'offline',
  city: null,
  lastSeen: null,
})
const fleet = [school, boat, lodge]
const pools = new Map([
  ['T1', 'Schools'],
  ['T2', 'Harbors of the West'],
])

const find = (search: string) => {
  const { text, matches } = parseSearch(search)
  return {
    text,
    found: fleet.filter((one) => !matches || matches(one, { nowMs, pools })).map(({ customname }) => customname),
  }
}

test.for([
  ['status:offline', ['Lodge']],
  ['STATUS:Off', ['Lodge']],
  ['status:online status:disabled', ['Nome School', 'F/V Dawn']],
  ['-status:online', ['F/V Dawn', 'Lodge']],
  ['alert:roam', ['F/V Dawn']],
  ['alert:"not allowed here"', []],
  ['alert:none', ['Nome School', 'Lodge']],
  ['alert:any', ['F/V Dawn']],
  ['city:"dutch harbor"', ['F/V Dawn']],
  ['city:"dutch h', ['F/V Dawn']],
  ['pool:harbors', ['F/V Dawn']],
  ['seen:>1h', ['F/V Dawn']],
  ['seen:<1h', ['Nome School']],
  ['seen:>1d', ['F/V Dawn']],
  ['seen:>1.5d', []],
  ['seen:never', ['Lodge']],
  ['is:mobile', ['F/V Dawn']],
  ['is:fixed status:offline', ['Lodge']],
  ['line:sl-1 kit:UT01 street:front state:ak name:nome', ['Nome School']],
] as const)('%s selects %o', ([search, names]) => expect(find(search)).toEqual({ text: '', found: names }))

test('the rest of a search is text', () => {
  expect(find('  harbor  status:offline  west ')).toEqual({ text: 'harbor west', found: ['Lodge'] })
})

test.for([
  'Lodge',
  'constructor:x',
  'http://a',
  'unknown:1',
  'status:purple',
  'seen:yesterday',
  'a status',
  ' two  words ',
])('%s is plain text', (search) =>
  expect(parseSearch(search)).toEqual({ text: search, matches: undefined, needsPools: false }),
)

test.for(['status:', 'city:', 'seen:>', 'seen:>1', 'seen:ne', 'is:mob', 'pool:"'])(
  '%s selects nothing yet while it is being typed',
  (search) => expect(find(search)).toEqual({ text: '', found: ['Nome School', 'F/V Dawn', 'Lodge'] }),
)

test('a search without a known field is never read as anything but text', () => {
  fc.assert(
    fc.property(fc.string(), (search) => {
      const names = [...search.matchAll(/([a-z]+):/gi)].map(([, name]) => name?.toLowerCase() ?? '')
      fc.pre(!names.some((name) => Object.hasOwn(searchFields, name)))
      expect(parseSearch(search).text).toBe(search)
    }),
  )
})

test('suggests fields, then the values that terminals have', () => {
  const labels = (search: string) => suggestTerms(search, fleet, pools).map(({ label }) => label)
  expect(labels('')).toContain('status:')
  expect(labels('nome st')).toEqual(['status:', 'state:', 'street:'])
  expect(labels('status:')).toEqual(['status:disabled', 'status:offline', 'status:online'])
  expect(labels('harbor city:d')).toEqual(['city:"Dutch Harbor"'])
  expect(labels('pool:"Harbors o')).toEqual(['pool:"Harbors of the West"'])
  expect(labels('seen:>')).toEqual(['seen:>1h', 'seen:>24h', 'seen:>7d'])
  expect(labels('nome ')).toEqual([])
  expect(suggestTerms('x -city:d', fleet)[0]?.search).toBe('x -city:"Dutch Harbor" ')
})

test('each suggestion of a value selects what it promises', () => {
  for (const name of Object.keys(searchFields))
    for (const { search } of suggestTerms(`${name}:`, fleet, pools)) {
      const { text, matches } = parseSearch(search)
      expect([search, text, typeof matches]).toEqual([search, '', 'function'])
    }
})
