import pino from 'pino'
import { expect } from 'vitest'
import type { BulkProgress } from '#contract/bulk.ts'
import { listenToDatabase } from '../../platform/database/listen.ts'
import { startWorker } from '../../platform/worker/worker.ts'
import { addLine } from '../../testing/add-line.ts'
import { startTestServer } from '../../testing/server.ts'
import { createBulkQueue } from '../queue.ts'

const log = pino({ level: 'silent' })

/** A tenant with lines of the group north and one of the group south, and the bulk calls. */
export const startBulkTenant = async (linesOfNorth: number) => {
  const server = await startTestServer()
  const superuser = await server.connectSuperuser()
  const tokens: Record<string, string> = {}
  const ids: Record<'north' | 'south', string[]> = { north: [], south: [] }

  await server.database.transaction({ tenantId: 'a' }, async (db) => {
    const add = async (name: string, group: 'north' | 'south') => {
      const line = { service_line_number: `SL-${name}`, nickname: name, group_name: group }
      ids[group].push(String((await addLine(db, 'a', line)).lineId))
    }
    for (let at = 0; at < linesOfNorth; at++) await add(`North ${at}`, 'north')
    await add('South', 'south')
  })

  const addPerson = async (
    name: string,
    group: string,
    role: 'admin' | 'user',
    grants: Record<string, string> = {},
  ) => {
    const email = `${name}@a.example`
    const id = await server.addUser('a', { email, username: group, role })
    for (const [item, value] of Object.entries(grants))
      await superuser.query("insert into feature_grants values ('a', $1, $2, $3, 'test', now())", [id, item, value])
    tokens[name] = (await server.signIn('a', email)).access
    return id
  }

  const startBulkWorker = () => {
    const listener = listenToDatabase({ connection: server.runtime, log })
    const { database, services } = server
    // Jobs are due by the database's clock.
    const now = () => new Date()
    const queues = { bulk: createBulkQueue({ database, secrets: services.secrets, now }) }
    const timing = { heartbeatMs: 50, pollIntervalMs: 50 }
    const worker = startWorker({ listener, log, now, queues, timing })
    return async () => {
      await worker.stop()
      await listener.close()
    }
  }

  const call = (who: string, method: 'GET' | 'POST', path: string, body?: object) =>
    server.call('a', method, `/api/${path}`, { token: tokens[who] as string, ...(body && { body }) })
  const start = async (who: string, change: object) => {
    const { status, body } = await call(who, 'POST', 'bulk-changes/', change)
    expect(status).toBe(200)
    return body.id as string
  }
  const get = async (who: string, id: string) => (await call(who, 'GET', `bulk-changes/${id}/`)).body as BulkProgress
  const end = async (who: string, id: string) => {
    await expect.poll(async () => (await get(who, id)).state).not.toBe('running')
    return get(who, id)
  }
  const undo = async (who: string, id: string) =>
    end(who, (await call(who, 'POST', `bulk-changes/${id}/undo/`)).body.id as string)
  const listEntries = async (action: string, bulk: string) => {
    const { rows } = await superuser.query<{ details: Record<string, unknown> }>(
      "select details from audit_log where action = $1 and details ->> 'bulk' = $2 order by seq",
      [action, bulk],
    )
    return rows.map(({ details }) => details)
  }
  return {
    server,
    superuser,
    tokens,
    ids,
    addPerson,
    startBulkWorker,
    call,
    start,
    get,
    end,
    undo,
    listEntries,
    close: server.close,
  }
}
