import { expect, test } from 'vitest'
import { findMarks } from './marks.ts'

test('marks are found in words, numbers and coordinates', () => {
  expect(findMarks('{"name":"sl-marknorth","used":77232,"latitude":77.333}')).toEqual(['north', 'south', 'foreign'])
})

test('digits of moments and ids are no marks', () => {
  expect(findMarks('{"at":"2026-11-18T01:23:45.677131Z","id":"77232000-0000-4000-8000-000077333000"}')).toEqual([])
})
