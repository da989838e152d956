import { expect, test } from 'vitest'
import { describeEntry } from './audit-sentences.ts'

const describe = (actionType: string, actionPerformee: string, details: Record<string, unknown> = {}) =>
  describeEntry({
    id: '1',
    actionPerformer: 'ada',
    actionType,
    actionPerformee,
    actionTime: new Date(0),
    details,
  })

test('a limit that changes is raised or lowered, or goes', () => {
  const change = (before: number | null, after: number | null) =>
    describe('pool.update', 'Harbors', {
      before: { limitGb: before },
      after: { limitGb: after },
      added: [],
      removed: [],
    })
  expect(change(1000, 1500)).toBe('ada raised the limit of Harbors from 1,000 to 1,500 GB')
  expect(change(1500, 0.5)).toBe('ada lowered the limit of Harbors from 1,500 to 0.5 GB')
  expect(change(1500, null)).toBe('ada changed the limit of Harbors from 1,500 GB to no limit')
  expect(change(1500, 1500)).toBe('ada saved the pool Harbors without a change')
})

test('several changes of a pool are one sentence', () => {
  const details = {
    before: { name: 'Docks', limitGb: 1000 },
    after: { name: 'Harbors', limitGb: 1200 },
    added: ['a', 'b'],
    removed: ['c'],
  }
  expect(describe('pool.update', 'Harbors', details)).toBe(
    'ada raised the limit of Harbors from 1,000 to 1,200 GB, changed the name of Harbors from Docks to Harbors, added 2 lines to Harbors, and removed 1 line from Harbors',
  )
})

test('settings are named by words, and switches are on or off', () => {
  const change = (action: string, before: object, after: object) => describe(action, 'any', { before, after })
  expect(change('tenant.settings', { publicStatus: false }, { publicStatus: true })).toBe(
    'ada changed the settings: public status page from off to on',
  )
  expect(change('profile.notifications', { selected_line_ids: '0 chosen' }, { selected_line_ids: '34 chosen' })).toBe(
    'ada changed their own notifications: terminals from 0 chosen to 34 chosen',
  )
  expect(change('tenant.single_sign_on', { rules: [{}] }, { rules: [] })).toBe('ada changed single sign-on: rules')
  expect(change('tenant.single_sign_on', { graceMinutes: 1 }, { graceMinutes: 5 })).toBe(
    'ada changed single sign-on: minutes without an answer of the provider from 1 to 5',
  )
})

test('one field of a user is named with its values, several only by name, a password never with one', () => {
  const change = (before: object, after: object) => describe('user.update', 'bob@mail.example', { before, after })
  expect(change({ role: 'user' }, { role: 'admin' })).toBe(
    'ada changed the role of bob@mail.example from user to admin',
  )
  expect(change({ role: 'user', username: 'a' }, { role: 'admin', username: 'b' })).toBe(
    'ada changed the role and group of bob@mail.example',
  )
  expect(change({}, { password: 'replaced' })).toBe('ada changed the password of bob@mail.example')
})

test('permissions have the names of the page', () => {
  expect(describe('access.set', 'bob', { before: { metadata: 'cannot_see' }, after: { metadata: 'read_only' } })).toBe(
    'ada set Metadata of bob to read only',
  )
  expect(describe('access.set', 'bob', { after: { plan_manager: 'true' } })).toBe('ada set Plan Manager of bob to on')
})

test('changes of many terminals say what begins, and each line what was done to it', () => {
  expect(describe('bulk.start', '63 terminals', { kind: 'pool', poolId: '1' })).toBe(
    'ada began to change the pool of 63 terminals',
  )
  expect(describe('bulk.start', '2 terminals', { kind: 'metadata', field: 'metadata1' })).toBe(
    'ada began to set metadata1 of 2 terminals',
  )
  expect(describe('service_line.pool', 'SL-1', { before: { pool: null }, after: { pool: 'Harbors' } })).toBe(
    'ada put SL-1 into the pool Harbors',
  )
  expect(describe('service_line.pool', 'SL-1', { before: { pool: 'Harbors' }, after: { pool: null } })).toBe(
    'ada took SL-1 out of the pool Harbors',
  )
  expect(describe('profile.line_notifications', 'SL-1', { after: { notifications: true } })).toBe(
    'ada turned notifications about SL-1 on',
  )
})

test('a command that failed says how', () => {
  expect(describe('terminal.reboot.refused', 'KIT1', { problem: 'Starlink is busy.' })).toBe(
    'ada sent a reboot to KIT1, which Starlink refused: Starlink is busy.',
  )
  expect(describe('service_line.opt_in.unknown', 'Nome', { desired: 'opt out' })).toBe(
    'ada opted Nome out of more data, and it is not known whether that reached Starlink',
  )
})

test('an unknown action and details of another form have a sentence too', () => {
  expect(describe('thing.make', 'it')).toBe('ada did thing.make to it')
  expect(describe('pool.create', 'Harbors', { lines: 3, limitGb: 'many' })).toBe(
    'ada created the pool Harbors with 0 lines and no limit',
  )
})
