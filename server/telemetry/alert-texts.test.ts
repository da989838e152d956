import { expect, test } from 'vitest'
import { findAlertText, getAlertTitle } from '#contract/alerts.ts'
import { TERMINAL_ALERTS } from '#starlink/telemetry-columns.ts'

test('every alert of the vendor has words, and an unknown one shows its code', () => {
  expect(Object.values(TERMINAL_ALERTS).filter((alert) => findAlertText(alert) === undefined)).toEqual([])
  expect(getAlertTitle('mast_not_vertical')).toBe('Mast is not vertical')
  expect(getAlertTitle('constructor')).toBe('constructor')
})
