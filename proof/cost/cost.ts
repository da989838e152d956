import { api } from '#contract/api.ts'
import type { Route, RouteTable } from '#contract/route.ts'
import { BACKCHANNEL_LOGOUT_PATH } from '#contract/sso-paths.ts'
import { onCleanup } from '../cleanup.ts'
import { atLeast, atMost, exactly, type Figure } from '../figure.ts'
import { type Operation, readOperations } from '../input/operations.ts'
import { openLine } from '../input/request.ts'
import { createRandomAddress, openQuietStack } from '../input/stack.ts'
import type { Proof } from '../proof.ts'
import { median } from '../statistics.ts'
import { expensiveCalls, expensiveReads, type Request } from './expensive.ts'
import { openProcessorClock } from './processor-time.ts'

const SIZES = {
  // Times are judged only in the full form; the short form checks that each request gets the right response.
  short: { warmUps: 1, screened: 0, slices: 1, inSlice: 1, signedIn: 1 },
  full: { warmUps: 1, screened: 6, slices: 5, inSlice: 12, signedIn: 5 },
}
const AT_ONCE = 4
const LIMIT_MS = 5
const MAX_BODY_BYTES = 16 * 1024
/** Hashing a password is expensive by design; the number of hashes is limited elsewhere. */
const PASS_PHRASE = 'a link with a pass phrase'
const HASHING = ['identity.login', PASS_PHRASE]
const METRICS_TOKEN = 'a token for the proof'
const ENVIRONMENT = {
  METRICS_TOKEN,
  SECURITY_CONTACT: 'mailto:security@alpha.example',
  SMS_API_URL: 'http://127.0.0.1:9/',
  SMS_ACCOUNT_SID: 'AC0',
  SMS_AUTH_TOKEN: 'secret',
  SMS_FROM: '+19075550100',
}

const routes = new Map<string, Route>(
  Object.entries(api as Record<string, RouteTable>).flatMap(([table, entries]) =>
    Object.entries(entries).map(([name, route]) => [`${table}.${name}`, route]),
  ),
)
const isOpen = ({ name }: Operation) => ['public', 'optional'].includes(String(routes.get(name)?.access))

const READS = [
  '/',
  '/support',
  '/terminaltable',
  '/no-such-file.js',
  '/api/no-such-call/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/api/docs',
  '/api/openapi.json',
  '/api/docs/scalar.js',
  '/.well-known/security.txt',
  '/brand/favicon.svg',
  '/status?tenant=alpha',
  '/shared/nothing?tenant=alpha',
  `/open/1.99999.${'A'.repeat(43)}/terminal/nothing?tenant=alpha`,
]

const smsWebhook = (): Request[] =>
  ['a=b&'.repeat(4_000), `Body=${'%41'.repeat(5_000)}`].map((body) => ({
    variant: 'wrong signature',
    method: 'POST',
    path: '/api/sms-webhook/',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'x' },
  }))

const logoutTokens = (): Request[] =>
  [`logout_token=${'e30.'.repeat(4_000)}`, 'a=b&'.repeat(4_000)].map((body) => ({
    variant: 'no token',
    method: 'POST',
    path: BACKCHANNEL_LOGOUT_PATH,
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }))

/** Requests to a link with a pass phrase: a wrong phrase, of which few are hashed, and one that is too long. */
const passPhrases = (path: string): Request[] =>
  [`passPhrase=${'%41'.repeat(600)}`, 'a=b&'.repeat(500), 'a=b&'.repeat(4_000)].map((body) => ({
    variant: 'wrong pass phrase',
    method: 'POST',
    path,
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  }))

interface Row {
  name: string
  variant: string
  ms: number
}

export const cost: Proof = {
  name: 'cost',
  about:
    'Processor time of the server for every call, page and file, with the most expensive input that the contract allows and with hostile ones, first without a session.',
  run: async ({ form, log }) => {
    const sizes = SIZES[form]
    const stack = await openQuietStack(ENVIRONMENT)
    const line = openLine(stack.url)
    onCleanup(line.close)
    const { measureMs, idleShare } = await openProcessorClock(stack.url, METRICS_TOKEN)
    log(`idle: ${(idleShare * 100).toFixed(2)} % of a core, which is subtracted`)
    const operations = await readOperations(stack.url)
    const seen = { requests: 0, failures: 0, inflated: 0 }

    const send = async (request: Request, token: string | undefined) => {
      const headers = {
        'x-tenant': stack.tenant,
        ...(!request.headers['x-forwarded-for'] && { 'x-forwarded-for': createRandomAddress() }),
        ...(token && { authorization: `Bearer ${token}` }),
      }
      // The server closes idle connections, possibly just when one is reused.
      const { status } = await line.send(request, headers).catch(() => line.send(request, headers))
      seen.requests += 1
      if (status >= 500 && status !== 503) {
        seen.failures += 1
        log(`${request.method} ${request.path.slice(0, 80)} (${request.variant}) was answered with ${status}`)
      }
      if (request.headers['content-encoding'] && status !== 415) seen.inflated += 1
    }

    const isAdmin = async (access: string) => {
      const headers = { 'x-tenant': stack.tenant, authorization: `Bearer ${access}` }
      return (await fetch(`${stack.url}/api/user-groups/`, { headers })).ok
    }

    const measure = async (request: Request, times: number, token?: string) => {
      let left = times
      const lane = async () => {
        while (left-- > 0) await send(request, token)
      }
      const totalMs = await measureMs(async () => void (await Promise.all(Array.from({ length: AT_ONCE }, lane))))
      return totalMs / times
    }

    /** The median of several slices: other work of the process affects only one or two of them. */
    const measureInSlices = async (request: Request) => {
      const slices: number[] = []
      for (let slice = 0; slice < sizes.slices; slice++) slices.push(await measure(request, sizes.inSlice))
      return median(slices)
    }

    /** Tries each variant a few times, then the two most expensive ones often enough for a figure. */
    const findWorst = async (name: string, requests: Request[]): Promise<Row> => {
      const screened: { request: Request; ms: number }[] = []
      for (const request of requests) {
        for (let time = 0; time < sizes.warmUps; time++) await send(request, undefined)
        if (sizes.screened > 0) screened.push({ request, ms: await measure(request, sizes.screened) })
      }
      const rows: Row[] = []
      const worst = screened.sort((one, other) => other.ms - one.ms).map(({ request }) => request)
      for (const request of sizes.screened > 0 ? worst.slice(0, 2) : requests.slice(0, 1))
        rows.push({ name, variant: request.variant, ms: await measureInSlices(request) })
      return rows.sort((one, other) => other.ms - one.ms)[0] as Row
    }

    const { email, access } = await stack.newCaller()
    const known = await stack.gatherKnown(email)
    const page = await (await fetch(stack.url)).text()
    const asset = /"(\/assets\/[^"]+\.js)"/.exec(page)?.[1]
    /** The path of a page that shows a terminal to anyone who has the link. */
    const shareTerminal = async (passPhrase: string | null) => {
      const response = await fetch(`${stack.url}/api/share-links/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-tenant': stack.tenant, authorization: `Bearer ${access}` },
        body: JSON.stringify({ kind: 'terminal', subject: known.nickname?.[0], days: 1, passPhrase }),
      })
      const { path } = (await response.json()) as { path: string }
      return `${path}?tenant=${stack.tenant}`
    }
    const prepare = (operation: Operation) => {
      const { maxVisitorBodyBytes, maxBodyBytes } = routes.get(operation.name) ?? {}
      return expensiveCalls(operation, known, maxVisitorBodyBytes ?? maxBodyBytes ?? MAX_BODY_BYTES)
    }

    const anonymous: Row[] = []
    const add = (row: Row, into: Row[]) => {
      into.push(row)
      log(`${row.name.padEnd(34)} ${row.ms.toFixed(2).padStart(9)} ms  ${row.variant}`)
    }
    log('without a session:')
    for (const path of [...READS, ...(asset ? [asset] : [])])
      add(await findWorst(path, expensiveReads(path)), anonymous)
    add(await findWorst('a link to a terminal', expensiveReads(await shareTerminal(null))), anonymous)
    add(await findWorst(PASS_PHRASE, passPhrases(await shareTerminal('under the blue boat'))), anonymous)
    add(await findWorst('/api/sms-webhook/', smsWebhook()), anonymous)
    add(await findWorst(BACKCHANNEL_LOGOUT_PATH, logoutTokens()), anonymous)
    for (const operation of operations.filter(isOpen))
      add(await findWorst(operation.name, prepare(operation)), anonymous)
    const refused: Row[] = []
    // Includes up to a megabyte of body, which is read and discarded, so that the sender receives the refusal.
    for (const operation of operations.filter((each) => !isOpen(each)))
      add(await findWorst(operation.name, prepare(operation)), refused)

    log('with a session:')
    const signedIn: Row[] = []
    let caller = await stack.newCaller()
    for (const operation of operations.filter((each) => !isOpen(each))) {
      // A call may use up a rate limit, end the session, or delete or demote the user that sends it.
      if (form === 'full' || !(await isAdmin(caller.access))) caller = await stack.newCaller()
      const [valid] = prepare(operation) as [Request]
      add(
        { name: operation.name, variant: valid.variant, ms: await measure(valid, sizes.signedIn, caller.access) },
        signedIn,
      )
    }

    const findMost = (rows: Row[]) => rows.reduce((most, row) => (row.ms > most.ms ? row : most))
    const withoutLimit = (name: string, value: number, reason: string): Figure => ({
      name,
      value,
      unit: 'ms',
      limit: reason,
      pass: !Number.isNaN(value),
    })
    return [
      atLeast('calls measured', anonymous.length + refused.length, routes.size + READS.length),
      atLeast('requests', seen.requests, routes.size * 10),
      exactly('compressed bodies that were not refused with 415', seen.inflated, 0),
      exactly('responses of 500 and above, other than 503', seen.failures, 0),
      ...anonymous.map(({ name, variant, ms }) =>
        HASHING.includes(name)
          ? withoutLimit(`${name}: ${variant}`, ms, 'hashes a password')
          : atMost(`${name}: ${variant}`, ms, LIMIT_MS, 'ms'),
      ),
      atMost(
        `the most expensive of ${refused.length} calls without the session they need: ${findMost(refused).name}`,
        findMost(refused).ms,
        LIMIT_MS,
        'ms',
      ),
      withoutLimit(
        `the most expensive with a session: ${findMost(signedIn).name}`,
        findMost(signedIn).ms,
        'has a known sender',
      ),
    ]
  },
}
