import { describe, expect, test } from 'vitest'
import { runDishboard } from './testing/run-dishboard.ts'

const words = (line: string) => line.split(' ')

describe('help', () => {
  test('lists every command', async () => {
    const { code, out } = await runDishboard(['--help'])
    expect(code).toBe(0)
    for (const name of ['tenant create', 'user create', 'vendor connect', 'migrate', 'doctor'])
      expect(out).toContain(`  ${name} `)
  })

  test.each([
    ['tenant create', ['--id ID', '--host HOST', '--company NAME']],
    [
      'user create',
      ['--tenant ID', '--email E', '--password P', '--role admin|user', '--group G', '--name N', '--company C'],
    ],
    ['vendor connect', ['--tenant ID', '--base-url URL', '--token-url URL', '--client-id X', '--client-secret Y']],
    ['migrate', []],
    ['doctor', []],
  ])('%s tells its options', async (name, options) => {
    const { code, out, err } = await runDishboard([...words(name), '--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const option of options) expect(out).toContain(`  ${option} `)
  })
})

const tenant = ['tenant', 'create', '--id', 'acme', '--host', 'acme.example', '--company', 'Acme']
const user = [
  ...['user', 'create', '--tenant', 'acme', '--email', 'a@acme.example', '--password', 'Secret-123'],
  ...['--role', 'user', '--group', 'north', '--name', 'Ada', '--company', 'Acme'],
]
const vendor = [
  ...['vendor', 'connect', '--tenant', 'acme', '--base-url', 'https://vendor.example/v2'],
  ...['--token-url', 'https://vendor.example/token', '--client-id', 'x', '--client-secret', 'y'],
]

const change = (args: string[], option: string, value: string) => args.with(args.indexOf(option) + 1, value)
const drop = (args: string[], option: string) => args.toSpliced(args.indexOf(option), 2)

describe('what is not understood is one line and exit code 2', () => {
  test.each<[string, string[], RegExp]>([
    ['no command', [], /no command/],
    ['an unknown command', ['launch'], /there is no command 'launch'/],
    ['half a command', ['tenant'], /Is it 'tenant create'/],
    ['an unknown option', [...tenant, '--colour', 'red'], /Unknown option '--colour'/],
    ['a stray word', ['migrate', 'now'], /Unexpected argument 'now'/],
    ['an option without its value', ['tenant', 'create', '--id'], /--id/],
    ['an option given twice', [...tenant, '--id', 'other'], /more than once: --id/],
    ['missing options, all of them', drop(drop(tenant, '--host'), '--company'), /missing --host, --company/],
    ['a tenant id with capitals', change(tenant, '--id', 'Acme'), /--id: /],
    ['a host with a port', change(tenant, '--host', 'acme.example:8080'), /--host: .*without port/],
    ['a host with a scheme', change(tenant, '--host', 'https://acme.example'), /--host: /],
    ['an empty company', change(tenant, '--company', '  '), /--company: /],
    ['an e-mail without a domain', change(user, '--email', 'a@acme'), /--email: Please enter a valid email/],
    ['a password without a symbol', change(user, '--password', 'Secret123'), /--password: /],
    ['a password with a symbol that cannot sign in', change(user, '--password', 'Secret#123'), /--password: /],
    ['an unknown role', change(user, '--role', 'root'), /--role: .*admin or user/],
    ['an empty group', change(user, '--group', ''), /--group: /],
    ['an address that is none', change(vendor, '--base-url', 'vendor'), /--base-url: /],
    [
      'a secret in the clear over the network',
      change(vendor, '--token-url', 'http://vendor.example'),
      /--token-url: .*https/,
    ],
    ['two faults at once', change(change(user, '--email', 'a'), '--role', 'x'), /--email: .*; --role: /],
  ])('%s', async (_, args, message) => {
    const { code, out, err } = await runDishboard(args)
    expect(err).toMatch(message)
    expect(err.trimEnd()).not.toContain('\n')
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })
})
