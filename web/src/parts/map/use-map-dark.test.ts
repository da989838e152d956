import { expect, test } from 'vitest'
import { readDark } from './use-map-dark.ts'

test('accepts a stored true or false only', () => {
  expect([readDark('true'), readDark('false')]).toEqual([true, false])
  expect([null, '', 'dark', '"true"', '1', '{', '[]'].map(readDark)).toEqual(Array(7).fill(undefined))
})
