import { afterAll, describe, expect, test } from 'vitest'
import { findMatchingHash, toBulkRequester } from '#server/identity/passwords.ts'
import { openTwoTenants } from './testing/two-tenants.ts'

const { db, dishboard, createUser, listAudit, listUsers } = await openTwoTenants()
afterAll(() => db.close())

describe('user create', () => {
  test('creates a user who can sign in to that tenant only, and records it without the password', async () => {
    expect(await createUser('acme', 'Ada@acme.example')).toMatchObject({ code: 0, err: '' })
    const [user] = await listUsers('acme')
    expect(user).toMatchObject({ email: 'Ada@acme.example', role: 'user', group_name: 'north', customer_name: 'Ada' })
    expect(await findMatchingHash([user?.password_hash], 'Secret-pass-123', toBulkRequester('acme'))).toBe(0)
    expect(await listUsers('borealis')).toEqual([])
    const entry = (await listAudit('acme')).at(-1)
    expect(entry).toMatchObject({ performer: 'command line', action: 'user.create', performee: 'Ada@acme.example' })
    expect(JSON.stringify(entry)).not.toContain('Secret-pass-123')
  })

  test('refuses an email that differs only in case, and accepts it in another tenant', async () => {
    expect(await createUser('acme', 'aDA@ACME.example')).toMatchObject({
      code: 1,
      err: expect.stringContaining('aDA@ACME.example already'),
    })
    expect(await listUsers('acme')).toHaveLength(1)
    expect(await createUser('borealis', 'ada@acme.example')).toMatchObject({ code: 0 })
  })

  test('reads the password from standard input and validates it', async () => {
    expect(await createUser('acme', 'piped@acme.example', '-', 'Piped-123\n')).toMatchObject({ code: 0 })
    const user = (await listUsers('acme')).find(({ email }) => email === 'piped@acme.example')
    expect(await findMatchingHash([user?.password_hash], 'Piped-123', toBulkRequester('acme'))).toBe(0)
    expect(await createUser('acme', 'weak@acme.example', '-', 'weak\n')).toMatchObject({ code: 2 })
    expect(await createUser('acme', 'weak@acme.example', '-', 'Password1!\n')).toMatchObject({ code: 2 })
  })

  test('refuses an unknown tenant', async () => {
    const outcome = await createUser('nowhere', 'a@b.example')
    expect(outcome).toMatchObject({ code: 2, err: "dishboard: --tenant: there is no tenant 'nowhere'\n" })
  })
})

describe('user erase', () => {
  const erase = (email: string, confirm = email) =>
    dishboard(['user', 'erase', '--tenant', 'acme', '--email', email, '--confirm', confirm])

  test('erases a user, and whoever has no account any more', async () => {
    await createUser('acme', 'Gone@acme.example')
    expect(await erase('gone@acme.example', 'other@acme.example')).toMatchObject({ code: 2 })
    expect(await erase('gone@acme.example')).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 account was deleted'),
    })
    expect(JSON.stringify([await listUsers('acme'), await listAudit('acme')])).not.toMatch(/gone@acme/i)
    expect(await erase('gone@acme.example')).toMatchObject({ code: 0, out: expect.stringContaining('0 accounts') })
  })
})

describe('user reset-factors', () => {
  const reset = (email: string) => dishboard(['user', 'reset-factors', '--tenant', 'acme', '--email', email])

  test('removes the factors of a user who has some, and mails the user', async () => {
    await createUser('acme', 'lost@acme.example')
    expect(await reset('lost@acme.example')).toMatchObject({
      code: 0,
      out: 'lost@acme.example has no second factor.\n',
    })
    await db.database.transaction({ tenantId: 'acme' }, async (tx) => {
      const { id } = await tx
        .updateTable('users')
        .set({ has_second_factor: true })
        .where('email', '=', 'lost@acme.example')
        .returning('id')
        .executeTakeFirstOrThrow()
      const times = { created_at: new Date(), confirmed_at: new Date() }
      await tx
        .insertInto('totp_secrets')
        .values({ tenant_id: 'acme', user_id: id, secret: Buffer.from('sealed'), ...times })
        .execute()
    })
    expect(await reset('Lost@acme.example')).toMatchObject({
      code: 0,
      out: expect.stringContaining('The second factors of lost@acme.example are removed: authenticator app.'),
    })
    const mail = await db.database.transaction({ tenantId: 'acme' }, (tx) =>
      tx.selectFrom('messages').select('text').where('recipient', '=', 'lost@acme.example').executeTakeFirstOrThrow(),
    )
    expect(mail.text).toContain('By: command line')
    expect(await reset('nobody@acme.example')).toMatchObject({ code: 1 })
  })
})

describe('token', () => {
  const create = (...more: string[]) =>
    dishboard([
      'token',
      'create',
      '--tenant',
      'acme',
      '--name',
      'Grafana',
      '--scopes',
      'terminals:read, plans:read',
      '--role',
      'user',
      '--group',
      'north',
      '--days',
      '30',
      ...more,
    ])
  const list = async (tenant: string) => (await dishboard(['token', 'list', '--tenant', tenant])).out.trim()

  test('creates, lists and revokes the token of a service', async () => {
    expect(await create('--networks', '192.0.2.0/33')).toMatchObject({ code: 2 })
    const { code, out } = await create('--networks', '192.0.2.0/24')
    expect(code).toBe(0)
    expect(out.trim()).toMatch(/^dsb_acme_[0-9A-Za-z]{49}$/)
    const [id = '', owner, name, scopes] = (await list('acme')).split('\t')
    expect([owner, name, scopes]).toEqual(['service', 'Grafana', 'terminals:read,plans:read'])
    expect(await list('borealis')).toBe('')
    const revoke = (tenant: string) => dishboard(['token', 'revoke', '--tenant', tenant, '--id', id])
    expect(await revoke('borealis')).toMatchObject({ code: 1 })
    expect(await revoke('acme')).toMatchObject({ code: 0, out: expect.stringContaining('is revoked') })
    expect(await list('acme')).toBe('')
    expect((await listAudit('acme')).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['token.create', 'token.revoke']),
    )
  })
})
