import { afterAll, expect, test } from 'vitest'
import type { RightsLock, Session } from '../platform/context.ts'
import { OWN_LOCKS } from '../testing/own-locks.ts'
import { startTestServer } from '../testing/server.ts'
import { readSession } from './read-session.ts'
import { REFRESH_LIFETIME_DAYS } from './tokens.ts'

const server = await startTestServer()
const superuser = await server.connectSuperuser()
afterAll(() => server.close())

const openSession = async (email: string): Promise<Session> => {
  await server.addUser('a', { email, role: 'admin' })
  await server.signIn('a', email)
  const { rows } = await superuser.query(
    `select users.id as "userId", sessions.id as "sessionId" from users
     join sessions on sessions.tenant_id = users.tenant_id and sessions.user_id = users.id where users.email = $1`,
    [email],
  )
  return { tenantId: 'a', user: rows[0], grants: {} } as unknown as Session
}

/** A transaction that the test ends. */
const begin = (session: Session, lock: RightsLock, onLocked: () => void) => {
  const end = Promise.withResolvers<void>()
  const done = server.database.transaction({ tenantId: 'a' }, async (db) => {
    await readSession(db, session, lock, new Date())
    onLocked()
    await end.promise
  })
  return { end: end.resolve, done }
}

const countWaiting = async () =>
  (await superuser.query(`select count(distinct pid)::int from ${OWN_LOCKS} where not granted`)).rows[0].count

test('a sender who writes all the time does not hold up a change of their own rights', async () => {
  const sender = await openSession('sender@mail.example')
  const administrator = await openSession('other@mail.example')
  const locked: string[] = []
  const first = begin(sender, 'share', () => locked.push('first write'))
  await expect.poll(() => locked).toEqual(['first write'])
  const change = begin(administrator, sender.user.userId, () => locked.push('change'))
  await expect.poll(countWaiting).toBe(1)
  const second = begin(sender, 'share', () => locked.push('second write'))
  await expect.poll(async () => locked.length + (await countWaiting())).toBe(3)
  first.end()
  await first.done
  await expect.poll(() => locked).toEqual(['first write', 'change'])
  change.end()
  await change.done
  await expect.poll(() => locked).toEqual(['first write', 'change', 'second write'])
  second.end()
  await second.done
})

test('changes of all users of a tenant hold up its writes, and leave no lock behind', async () => {
  const sender = await openSession('bulk@mail.example')
  const locked: string[] = []
  const change = begin(sender, 'all', () => locked.push('change'))
  await expect.poll(() => locked).toEqual(['change'])
  const write = begin(sender, 'share', () => locked.push('write'))
  await expect.poll(countWaiting).toBe(1)
  change.end()
  await change.done
  await expect.poll(() => locked).toEqual(['change', 'write'])
  write.end()
  await write.done
  const { rows } = await superuser.query(`select count(*)::int from ${OWN_LOCKS} where locktype = 'advisory'`)
  expect(rows[0].count).toBe(0)
})

test('a session that has expired since its request began is not read again', async () => {
  const session = await openSession('expiring@mail.example')
  const readAt = (now: Date) =>
    server.database.transaction({ tenantId: 'a' }, (db) => readSession(db, session, 'share', now))
  expect(await readAt(new Date())).toMatchObject({ user: { email: 'expiring@mail.example' } })
  expect(await readAt(new Date(Date.now() + (REFRESH_LIFETIME_DAYS + 1) * 86_400_000))).toBeUndefined()
})
