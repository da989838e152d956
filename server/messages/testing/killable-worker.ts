import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { expect } from 'vitest'
import type { MailServer } from '../../testing/mail-server.ts'
import type { TestServer } from '../../testing/server.ts'
import type { TestSmsGateway } from '../../testing/sms-gateway.ts'

interface Post {
  server: TestServer
  mail: MailServer
  gateway: TestSmsGateway
}

const script = new URL('./work-process.ts', import.meta.url)

/** A real worker that delivers everything, with its clock ahead. */
export const startWorker = ({ server, mail, gateway }: Post, aheadMs: number) => {
  const { apiUrl, accountSid, authToken, from } = gateway.settings
  const environment = {
    SMTP_URL: mail.url,
    MAIL_FROM: 'portal@sender.example',
    SMS_API_URL: apiUrl,
    SMS_ACCOUNT_SID: accountSid,
    SMS_AUTH_TOKEN: authToken,
    SMS_FROM: from,
  }
  return fork(script, [JSON.stringify({ connection: server.runtime, aheadMs, environment })])
}

export const kill = async (child: ChildProcess) => {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Whether a statement on that table is waiting for a lock. */
const isHeldUp = async (client: pg.Client, table: string) => {
  const { rowCount } = await client.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`,
    [`%${table}%`],
  )
  return rowCount !== 0
}

/** Takes a lock. The returned function waits until a worker is blocked, runs the callback and releases the lock. */
export const holdUp = async ({ superuser }: TestServer, lock: string, table: string) => {
  const client = new pg.Client(superuser)
  await client.connect()
  await client.query('begin')
  await client.query(lock)
  return async (meanwhile: () => Promise<void>) => {
    const watcher = new pg.Client(superuser)
    await watcher.connect()
    await expect.poll(() => isHeldUp(watcher, table)).toBe(true)
    await meanwhile()
    await watcher.end()
    await client.query('rollback')
    await client.end()
  }
}
