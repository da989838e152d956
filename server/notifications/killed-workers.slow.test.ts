import { fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { addLines, addTurns, sendUntil, setPreferences } from './testing/fleet.ts'

const START = new Date('2026-11-10T20:00:00Z')
const at = (minutes: number) => new Date(START.getTime() + minutes * 60_000)

let server: TestServer
let user: number
let lines: { lineId: number; terminalId: number }[]
beforeAll(async () => {
  server = await startTestServer()
  user = await server.addUser('a')
  lines = await addLines(server.database, 'a', 30, 'north')
})
afterAll(() => server.close())

test('loses and doubles nothing when two workers are killed while they notify', async () => {
  await setPreferences(server.database, 'a', user, {
    by_email: true,
    status_changes: true,
    selected_line_ids: lines.map(({ lineId }) => lineId),
  })
  await sendUntil(server.database, 'a', at(-1))
  await addTurns(
    server.database,
    'a',
    lines.map(({ terminalId }, place) => ({
      terminalId,
      status: 'offline',
      at: at(place * 20),
      notedAt: at(place * 20 + 3),
    })),
  )
  const script = new URL('./testing/notify-and-die.ts', import.meta.url)
  const start = (dieAfterMs: number) =>
    fork(script, {
      env: {
        ...process.env,
        CONNECTION: JSON.stringify(server.runtime),
        UNTIL: at(1200).toISOString(),
        DIE_AFTER_MS: String(dieAfterMs),
      },
    })
  for (const dieAfterMs of [20, 80, 200, 400]) {
    const pair = [start(dieAfterMs), start(dieAfterMs * 2)]
    await Promise.all(pair.map((child) => once(child, 'exit')))
  }
  await sendUntil(server.database, 'a', at(1200))
  const messages = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('messages').select('subject').where('channel', '=', 'email').execute(),
  )
  const subjects = messages.map(({ subject }) => subject)
  const lost = lines.length - new Set(subjects).size
  const doubled = subjects.length - new Set(subjects).size
  console.log(`sent ${subjects.length}, lost ${lost}, doubled ${doubled}`)
  expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
})
