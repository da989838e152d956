import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/platform/database/database.ts'
import { type CallResult, type Client, type Request, signIn } from '../multi-process/client.ts'
import { PASSWORD, tenantIds } from '../multi-process/tenants.ts'
import { type OwnLine, type WriteKind, writeKinds } from '../multi-process/write-kinds.ts'
import { listLines, type Write } from '../multi-process/writers.ts'

const ADMINS_PER_TENANT = 2
/** Leaves CPU time to spare: this is about lost requests, not about slow ones. */
const PAUSE_MS = 20

const reads = ['/terminals/', '/verify-token/', '/my-sessions/', '/rbac/my-effective/?items=metadata', '/user-groups/']

/** Each has one writing request in flight. */
const addAdmin = async (url: string, tenantId: string, name: string) => {
  const first = await signIn(url, tenantId)
  const email = `${name}@${tenantId}.example`
  const form = { email, username: 'staff', customerName: 'Mo Manager', company: 'Company' }
  const body = { ...form, initialPassword: PASSWORD, role: 'admin' }
  const created = await first.call(url, { method: 'POST', path: '/create-user/', body })
  if (created?.status !== 200) throw new Error(`An administrator could not be created: ${JSON.stringify(created)}`)
  const client = await signIn(url, tenantId, email)
  const passwords = { currentPassword: PASSWORD, newPassword: `${PASSWORD}2` }
  const chosen = await client.call(url, { method: 'POST', path: '/reset-password/', body: passwords })
  if (chosen?.status !== 200) throw new Error(`An administrator could not choose a password: ${JSON.stringify(chosen)}`)
  return client
}

const getKind = (name: string) => writeKinds.find((kind) => kind.name === name) as WriteKind

/** Users who read and write by every method at `url`, until they are stopped. */
export const startRollingLoad = async (database: Database, url: string) => {
  const sent = new Map<string, number>()
  const failed = new Map<string, number>()
  const writes: Write[] = []
  const admins: Client[] = []
  let putOff = 0
  let stopped = false

  const send = async (client: Client, request: Request): Promise<CallResult | undefined> => {
    sent.set(request.method, (sent.get(request.method) ?? 0) + 1)
    const response = await client.call(url, request)
    if (response?.status === 503 && response.retryAfter !== null) putOff++
    else if (response?.status !== 200) {
      const what = `${request.method} ${request.path} ${response?.status ?? 'unanswered'}`
      failed.set(what, (failed.get(what) ?? 0) + 1)
    }
    return response
  }
  const write = async (client: Client, kind: WriteKind, mark: string, line: OwnLine) => {
    const entry: Write = { kind, tenantId: client.tenantId, mark, line, acknowledged: false }
    writes.push(entry)
    const response = await send(client, kind.buildRequest(mark, client.tenantId, line))
    entry.acknowledged = response?.status === 200
    return response
  }
  const changeUser = async (client: Client, created: CallResult | undefined) => {
    const user = created?.body as { user_id?: number; email?: string } | undefined
    if (created?.status !== 200 || user?.user_id === undefined) return
    const form = { email: user.email, username: 'north', customerName: 'Some One', company: 'Changed' }
    await send(client, { method: 'PUT', path: `/update-user/${user.user_id}/`, body: form })
  }
  const work = async (client: Client, name: string, line: OwnLine) => {
    for (let turn = 0; !stopped; turn++) {
      const mark = (kind: string) => `${kind}-rolling-${client.tenantId}${name}-${turn}`
      await write(client, getKind('metadata'), mark('metadata'), line)
      await changeUser(client, await write(client, getKind('user'), mark('user'), line))
      await write(client, getKind('notice'), mark('notice'), line)
      // Ends the sender's other sessions, of which there are none.
      await send(client, { method: 'DELETE', path: '/my-sessions/' })
      await pause(PAUSE_MS)
    }
  }
  const read = async (client: Client) => {
    for (let turn = 0; !stopped; turn++) {
      await send(client, { method: 'GET', path: reads[turn % reads.length] as string })
      await pause(PAUSE_MS)
    }
  }

  const loops: Promise<void>[] = []
  for (const tenantId of tenantIds) {
    const lines = await listLines(database, tenantId)
    for (let nth = 0; nth < ADMINS_PER_TENANT; nth++) {
      const client = await addAdmin(url, tenantId, `rolling-${nth}`)
      admins.push(client)
      loops.push(work(client, String(nth), lines.at(-1 - nth) as OwnLine), read(client))
    }
  }
  return {
    admins,
    sent,
    failed,
    writes,
    putOff: () => putOff,
    stop: async () => {
      stopped = true
      await Promise.all(loops)
    },
  }
}
