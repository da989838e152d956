import { expect, test } from 'vitest'
import { splitSelection } from './split-selection.ts'

const toRows = (...ids: string[]) => ids.map((id) => ({ id }))
const split = (all: string[], shown: string[], selected: string[]) => {
  const { ids, hiddenCount } = splitSelection(toRows(...all), toRows(...shown), new Set(selected), ({ id }) => id)
  return { ids: [...ids], hiddenCount }
}

test('selected rows that a search hides are counted, not acted on, and come back with it', () => {
  const selected = ['nome', 'bethel', 'kodiak']
  const all = ['bethel', 'kodiak', 'nome', 'sitka']
  expect(split(all, ['nome', 'sitka'], selected)).toEqual({ ids: ['nome'], hiddenCount: 2 })
  expect(split(all, ['sitka'], selected)).toEqual({ ids: [], hiddenCount: 3 })
  expect(split(all, all, selected)).toEqual({ ids: ['bethel', 'kodiak', 'nome'], hiddenCount: 0 })
})

test('a removed row is no longer selected, nor hidden', () => {
  expect(split(['sitka'], [], ['nome'])).toEqual({ ids: [], hiddenCount: 0 })
  expect(split([], [], [])).toEqual({ ids: [], hiddenCount: 0 })
})
