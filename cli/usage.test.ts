import { describe, expect, test } from 'vitest'
import type { Command } from './command.ts'
import { readOptions } from './read-options.ts'
import { tenantCreate } from './tenant-create.ts'
import { runDishboard, spawnDishboard } from './testing/run-dishboard.ts'
import { userCreate } from './user-create.ts'
import { vendorConnect } from './vendor-connect.ts'

const words = (line: string) => line.split(' ')

describe('help', () => {
  test('lists every command', async () => {
    const { code, out } = await runDishboard(['--help'])
    expect(code).toBe(0)
    for (const name of [
      'tenant create',
      'tenant configure',
      'user create',
      'vendor connect',
      'audit verify',
      'migrate',
      'backup',
      'restore',
      'doctor',
    ])
      expect(out).toContain(`  ${name} `)
  })

  test.each([
    ['tenant create', ['--id ID', '--host HOST', '--company NAME']],
    [
      'user create',
      ['--tenant ID', '--email E', '--password P', '--role admin|user', '--group G', '--name N', '--company C'],
    ],
    ['vendor connect', ['--tenant ID', '--base-url URL', '--token-url URL', '--client-id X', '--client-secret Y']],
    ['audit verify', ['--tenant ID', '--head ENTRY:HASH']],
    ['migrate', []],
    ['backup', ['FILE']],
    ['restore', ['FILE']],
    ['doctor', []],
  ])('%s lists its options', async (name, options) => {
    const { code, out, err } = await runDishboard([...words(name), '--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const option of options) expect(out).toContain(`  ${option} `)
  })
})

const tenant = ['--id', 'acme', '--host', 'acme.example', '--company', 'Acme']
const user = [
  '--tenant',
  'acme',
  '--email',
  'a@acme.example',
  '--password',
  'Secret-123',
  '--role',
  'user',
  '--group',
  'north',
  '--name',
  'Ada',
  '--company',
  'Acme',
]
const vendor = [
  '--tenant',
  'acme',
  '--base-url',
  'https://vendor.example/v2',
  '--token-url',
  'https://vendor.example/token',
  '--client-id',
  'x',
  '--client-secret',
  'y',
]

const change = (args: string[], option: string, value: string) => args.with(args.indexOf(option) + 1, value)
const drop = (args: string[], option: string) => args.toSpliced(args.indexOf(option), 2)

describe('wrong usage is reported in one line, with exit code 2', () => {
  test.each<[string, string[], RegExp]>([
    ['no command', [], /no command/],
    ['an unknown command', ['launch'], /there is no command 'launch'/],
    ['half a command', ['tenant'], /Did you mean 'tenant create'/],
    ['an unknown option', ['tenant', 'create', ...tenant, '--shade', 'red'], /Unknown option '--shade'/],
    ['a stray word', ['migrate', 'now'], /Unexpected argument 'now'/],
    ['two files', ['backup', 'one', 'two'], /backup: given more than once: --file/],
    ['no file', ['restore'], /restore: missing --file/],
    ['missing options', ['tenant', 'create', '--id', 'acme'], /tenant create: missing --host, --company/],
    ['a bad value', ['user', 'create', ...change(user, '--role', 'root')], /user create: --role: .*admin.*user/],
  ])('%s', async (_, args, message) => {
    const { code, out, err } = await runDishboard(args)
    expect(err).toMatch(message)
    expect(err.trimEnd()).not.toContain('\n')
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })
})

test('the process has the exit code, and reports faults on standard error only', async () => {
  expect(await spawnDishboard(['--help'])).toMatchObject({ code: 0, err: '' })
  const { code, out, err } = await spawnDishboard(['launch'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^dishboard: there is no command 'launch'/)
})

const noInput = async () => ''

describe('options', () => {
  test.each<[string, Command, string[], RegExp]>([
    ['an option without its value', tenantCreate, ['--id'], /--id/],
    ['an option given twice', tenantCreate, [...tenant, '--id', 'other'], /given more than once: --id/],
    ['a missing option', vendorConnect, drop(vendor, '--client-id'), /missing --client-id/],
    ['a tenant id with capitals', tenantCreate, change(tenant, '--id', 'Acme'), /--id: /],
    ['a host with a port', tenantCreate, change(tenant, '--host', 'acme.example:8080'), /--host: .*without port/],
    ['a host with a scheme', tenantCreate, change(tenant, '--host', 'https://acme.example'), /--host: /],
    ['a host with an empty label', tenantCreate, change(tenant, '--host', 'acme..example'), /--host: /],
    ['an empty company', tenantCreate, change(tenant, '--company', '  '), /--company: /],
    ['an email without a domain', userCreate, change(user, '--email', 'a@acme'), /--email: Please enter a valid email/],
    ['a password without a symbol', userCreate, change(user, '--password', 'Secret123'), /--password: /],
    ['a symbol that cannot sign in', userCreate, change(user, '--password', 'Secret#123'), /--password: /],
    ['an empty group', userCreate, change(user, '--group', ''), /--group: /],
    ['an address that is none', vendorConnect, change(vendor, '--base-url', 'vendor'), /--base-url: /],
    ['a secret over plain http', vendorConnect, change(vendor, '--token-url', 'http://vendor.example'), /https/],
    ['two faults at once', userCreate, change(change(user, '--email', 'a'), '--role', 'x'), /--email: .*; --role: /],
  ])('refuse %s', async (_, command, args, message) => {
    await expect(readOptions(command, args, noInput)).rejects.toThrow(message)
  })

  test('accept plain http on loopback and drop a trailing slash', async () => {
    const args = change(vendor, '--base-url', 'http://127.0.0.1:9000/v2/')
    expect(await readOptions(vendorConnect, args, noInput)).toMatchObject({
      values: { 'base-url': 'http://127.0.0.1:9000/v2' },
    })
  })
})
