import { expect, test } from 'vitest'
import type { TerminalDetailsItem } from '#contract/terminals.ts'
import { matchInTurns } from './match-in-turns.ts'

const toTerminal = (number: number) =>
  ({
    id: `${number}`,
    nickname: `Nome ${number}`,
    customname: `Nome ${number}`,
    deviceID: '',
    serviceLine: '',
    status: 'online',
    alerts: [],
    isMobile: false,
    coordinates: null,
    street: null,
    city: 'Nome',
    state: 'AK',
  }) as unknown as TerminalDetailsItem

test('a search with many terms over many terminals lets other requests run', async () => {
  const numbers = Array.from({ length: 1_000 }, (_, index) => index)
  const q = Array.from({ length: 60 }, (_, index) => `-name:x${index}`).join(' ')
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const found = await matchInTurns(numbers, toTerminal, 'dashboard', { q }, 0)
  isOver = true
  expect(found.map(({ id }) => id)).toEqual(numbers.map(String))
  expect(turns).toBeGreaterThanOrEqual(4)
  expect(await matchInTurns(numbers, toTerminal, 'dashboard', { q: '-city:nome' }, 0)).toEqual([])
})
