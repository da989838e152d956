import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBulkTenant } from './testing/bulk-tenant.ts'

const NORTH = 25

const tenant = await startBulkTenant(NORTH)
const { ids, addPerson, startBulkWorker, call, start, end, undo, listEntries } = tenant
let stopWorker: () => Promise<void>

beforeAll(async () => {
  await addPerson('viewer', 'north', 'user')
  await addPerson('other', 'north', 'user')
  stopWorker = startBulkWorker()
})
afterAll(async () => {
  await stopWorker()
  await tenant.close()
})

const turn = (isOn: boolean, terminals = ids.north) => ({ terminals, change: { kind: 'notifications', isOn } })
const listSelected = async (who: string) => {
  const { body } = await call(who, 'GET', 'user-profile/')
  return String(body.selectedTerminalList).split(',').filter(Boolean).sort()
}

test('users turn their own notifications about terminals on and off, and back', async () => {
  const [first, second] = ids.north as [string, string]
  await call('viewer', 'POST', 'change_selected_terminals/', { selectedTerminalList: first })
  const preview = (await call('viewer', 'POST', 'bulk-preview/', turn(true))).body
  expect(preview.counts).toEqual({ changing: NORTH - 1, unchanged: 1, failed: 0 })
  expect(preview.lines[0]).toEqual({ name: 'North 1', before: 'off', after: 'on', problem: null })
  const id = await start('viewer', turn(true))
  expect((await end('viewer', id)).counts).toEqual({ waiting: 0, done: NORTH - 1, unchanged: 1, failed: 0 })
  expect(await listSelected('viewer')).toEqual([...ids.north].sort())
  expect(await listSelected('other')).toEqual([])
  const entries = await listEntries('profile.line_notifications', id)
  expect(entries).toHaveLength(NORTH - 1)
  expect(entries[0]).toMatchObject({ before: { notifications: false }, after: { notifications: true } })

  const off = await start('viewer', turn(false, [first, second]))
  expect((await end('viewer', off)).counts.done).toBe(2)
  expect(await listSelected('viewer')).toEqual(ids.north.slice(2).sort())
  const undone = await undo('viewer', id)
  // The user has already turned off the second one.
  expect(undone.counts).toMatchObject({ done: NORTH - 2, failed: 1 })
  expect(await listSelected('viewer')).toEqual([])
})

test('nobody is notified about terminals that they may not see', async () => {
  expect((await call('viewer', 'POST', 'bulk-changes/', turn(true, ids.south))).status).toBe(403)
  expect(await listSelected('viewer')).toEqual([])
})
