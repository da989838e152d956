import { expect } from 'vitest'
import { addLine } from '../../testing/add-line.ts'
import { startTestServer } from '../../testing/server.ts'
import { notifyLinesChanged } from '../notify.ts'

export interface LiveEvent {
  kind: 'feed' | 'changes' | 'events'
  revision: string
  terminals?: { id: string; nickname: string }[]
  changes?: { id: string; nickname?: string; metadata1?: string }[]
  removed?: string[]
}

/** A listening server whose two tenants have an administrator, a user of the group north, and a line in north and south. */
export const startLiveServer = async () => {
  const server = await startTestServer()
  const lines = new Map<string, number>()
  for (const tenantId of ['a', 'b']) {
    await server.addUser(tenantId, { email: 'admin@mail.example', role: 'admin', username: 'staff' })
    await server.addUser(tenantId, { email: 'north@mail.example', username: 'north' })
    await server.database.transaction({ tenantId }, async (db) => {
      for (const group of ['north', 'south']) {
        const line = { service_line_number: group, group_name: group, terminals: [] }
        lines.set(`${tenantId} ${group}`, (await addLine(db, tenantId, line)).lineId)
      }
    })
  }
  const origin = await server.app.listen({ host: '127.0.0.1', port: 0 })

  const findLine = (tenantId: string, group: string) => lines.get(`${tenantId} ${group}`) as number

  const change = async (tenantId: string, group: string, set: string) =>
    server.database.transaction({ tenantId }, async (db, client) => {
      const id = findLine(tenantId, group)
      await client.query(`update service_lines set ${set} where id = $1`, [id])
      await notifyLinesChanged(db, tenantId, [id])
    })

  const open = async (access: string, since?: string, details = false) => {
    const stop = new AbortController()
    const response = await fetch(`${origin}/api/live/?details=${details}${since ? `&since=${since}` : ''}`, {
      headers: { authorization: `Bearer ${access}` },
      signal: stop.signal,
    })
    const events: LiveEvent[] = []
    const ended = (async () => {
      let text = ''
      const decoder = new TextDecoder()
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true })
        const parts = text.split('\n\n')
        text = parts.pop() ?? ''
        for (const part of parts) {
          const data = part.split('\n').find((line) => line.startsWith('data: '))
          if (data) events.push(JSON.parse(data.slice(6)))
        }
      }
    })().catch(() => {})
    await expect.poll(() => events.length).toBeGreaterThan(0)
    return { response, events, ended, access, stop: () => stop.abort() }
  }

  const follow = async (tenantId: string, who: string, since?: string, details = false) =>
    open((await server.signIn(tenantId, `${who}@mail.example`)).access, since, details)

  return { ...server, findLine, change, open, follow }
}

export type LiveServer = Awaited<ReturnType<typeof startLiveServer>>

export const listNicknames = (events: LiveEvent[]) =>
  events.flatMap(({ terminals = [], changes = [] }) => [...terminals, ...changes].map(({ nickname }) => nickname))

export const until = (check: () => unknown, expected: unknown) => expect.poll(check).toEqual(expected)

export const findSessionId = (access: string): string => {
  const [, claims = ''] = access.split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).session
}
