import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { queueMail } from '../messages/queue-mail.ts'
import { TEST_SECRET_KEY } from '../testing/database.ts'
import { findFreePort } from '../testing/find-free-port.ts'
import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { OWN_LOCKS } from '../testing/own-locks.ts'
import { startTestServer } from '../testing/server.ts'

const entry = fileURLToPath(new URL('./main.ts', import.meta.url))

const server = await startTestServer()
const superuser = await server.connectSuperuser()
let network: Awaited<ReturnType<typeof startNetwork>>
let mails: MailServer
const started = new Set<ChildProcess>()

/** A TCP connection to the database whose other end can fall silent, as if its machine or a cable were gone. */
const startNetwork = async () => {
  const sockets = new Set<Socket>()
  let isSilent = false
  const listening = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ path: join(server.runtime.host ?? '', '.s.PGSQL.5432'), allowHalfOpen: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (!isSilent) to.write(bytes)
      })
      from.on('end', () => {
        if (!isSilent) to.end()
      })
      from.on('error', () => {})
    }
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    fallSilent: () => {
      isSilent = true
    },
    recover: () => {
      for (const socket of sockets) socket.destroy()
      sockets.clear()
      isSilent = false
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      listening.close()
    },
  }
}

beforeAll(async () => {
  network = await startNetwork()
  mails = await startMailServer()
})
afterEach(() => network.recover())
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  network.close()
  await mails.close()
  await server.close()
})

const start = async (...roles: ('serve' | 'work')[]) => {
  const port = String(await findFreePort())
  const { user, database } = server.runtime
  const child = spawn(process.execPath, [entry, ...roles], {
    env: {
      PATH: process.env.PATH ?? '',
      PORT: port,
      WORK_PORT: port,
      DATA_DIR: server.dataDir,
      DATABASE_URL: `postgres://${user}@127.0.0.1:${network.port}/${database}`,
      SECRET_KEY: TEST_SECRET_KEY,
      SMTP_URL: mails.url,
      MAIL_FROM: 'portal@sender.example',
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  started.add(child)
  const exited = once(child, 'exit')
  const readStatus = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status,
      () => 'refused',
    )
  await expect.poll(readStatus).toBe(200)
  return { child, exited }
}

test.each([
  { name: 'work', roles: ['work'] },
  { name: 'serve', roles: ['serve'] },
  { name: 'both', roles: [] },
] as const)('a process whose database no longer responds exits with 0 within 25 seconds: $name', async ({ roles }) => {
  const { child, exited } = await start(...roles)
  network.fallSilent()
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})

const countBlocked = async () =>
  (await superuser.query(`select from ${OWN_LOCKS} where not granted and relation = 'messages'::regclass`)).rowCount

test('a process with work that waits for a lock exits with 0, and its successor does that work once', async () => {
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    queueMail(db, 'a', { to: 'someone@mail.example', subject: 'Hello', text: 'Hello', html: 'Hello' }),
  )
  await superuser.query('begin; lock table messages in access exclusive mode')
  const { child, exited } = await start('work')
  await expect.poll(countBlocked).toBeGreaterThan(0)
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  await superuser.query('commit')
  const successor = await start('work')
  await expect.poll(() => mails.mails.length).toBe(1)
  successor.child.kill('SIGTERM')
  expect(await successor.exited).toEqual([0, null])
  expect(mails.mails).toHaveLength(1)
})
