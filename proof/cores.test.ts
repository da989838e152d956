import { expect, test } from 'vitest'
import { corePercents, parseCoreTimes } from './cores.ts'

const before = parseCoreTimes('cpu  100 0 50 1000 10 0 0 20 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n')

test('steal time is a share of the requested time', () => {
  const after = parseCoreTimes('cpu  180 5 60 1790 20 3 2 120 0 0\n')
  expect(corePercents(before, after)).toEqual({ used: 10, waitingForDisk: 1, stolen: 50 })
})

test('no elapsed time gives no share', () => {
  expect(corePercents(before, before)).toEqual({ used: 0, waitingForDisk: 0, stolen: 0 })
})
