import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { findMarks, type Mark } from '#server/testing/marks.ts'
import type { SeededTenants } from '#server/testing/seeded-tenants.ts'

export const CONNECTIONS = 100
const ABORTED_SHARE = 0.05
const WRITTEN_SHARE = 0.05
const TIMEOUT_MS = 60_000

interface Hand {
  tenant: string
  token: string
  mayShow: Mark[]
  reads: string[]
  mayWrite: boolean
}

const READS = [
  '/api/terminals/',
  '/api/terminals/details/',
  '/api/user-profile/',
  '/api/my-sessions/',
  '/api/virtual-plan/',
  '/api/vp-service-line',
]
const ADMIN_READS = [
  '/api/get-users/',
  '/api/get-logs/',
  '/api/security-events/',
  '/api/acp/matrix/',
  '/api/executive-summary/',
]

/** Separate users, because the walk ends the sessions of its callers. */
const signInHands = async (seeded: SeededTenants): Promise<Hand[]> => {
  const hand = async (tenant: string, name: string, group: string, mark: 'north' | 'south' | 'foreign') => {
    const user = await seeded.addPerson(tenant, `hammer-${name}`, group, mark, 'all')
    const isAdmin = name === 'admin'
    const tenantMarks: Mark[] = tenant === 'a' ? ['north', 'south', 'shared'] : ['foreign']
    return {
      tenant,
      token: await user.signIn(),
      mayShow: [...(isAdmin ? tenantMarks : [mark]), 'metadata' as const],
      reads: isAdmin ? [...READS, ...ADMIN_READS] : READS,
      // The walk counts the entries of A's log, so B writes.
      mayWrite: tenant === 'b',
    }
  }
  return [
    await hand('a', 'north', 'north', 'north'),
    await hand('b', 'user', 'north', 'foreign'),
    await hand('a', 'south', 'south', 'south'),
    await hand('b', 'admin', 'staff', 'foreign'),
    await hand('a', 'admin', 'staff', 'north'),
    await hand('b', 'second', 'north', 'foreign'),
  ]
}

const send = (origin: string, agent: Agent, { tenant, token }: Hand, path: string, body?: object) =>
  new Promise<{ status: number; text: string } | 'aborted'>((resolve, reject) => {
    const isAborted = Math.random() < ABORTED_SHARE
    const headers = {
      'x-tenant': tenant,
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    }
    const fail = (error: Error) => (isAborted ? resolve('aborted') : reject(error))
    const call = request(origin + path, { agent, headers, method: body ? 'POST' : 'GET' }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', fail)
    })
    call.on('error', fail)
    call.end(body && JSON.stringify(body))
    // Clients disconnect during a request; the state of their connection must not leak into the next request.
    if (isAborted) setTimeout(() => call.destroy(), Math.random() * 20)
  })

/** Sends requests of two tenants on many connections until stopped, and checks every response. */
export const startHammer = async (seeded: SeededTenants, origin: string, pauseMs: number) => {
  const hands = await signInHands(seeded)
  const count = { responses: 0, aborted: 0, leaks: 0, failures: 0 }
  const examples: string[] = []
  let stopped = false
  let writes = 0

  const note = (kind: 'leaks' | 'failures', example: string) => {
    count[kind] += 1
    if (examples.length < 5) examples.push(example)
  }
  const strike = async (agent: Agent, hand: Hand) => {
    const isWrite = hand.mayWrite && Math.random() < WRITTEN_SHARE
    const path = isWrite ? '/api/edit-profile/' : (hand.reads[Math.floor(Math.random() * hand.reads.length)] as string)
    // Counted, not random: the digits of a random number could equal a mark.
    const body = isWrite ? { customerName: 'MARKFOREIGN person', company: `MARKFOREIGN ${++writes}` } : undefined
    const response = await send(origin, agent, hand, path, body)
    if (response === 'aborted') {
      count.aborted += 1
      return
    }
    count.responses += 1
    if (response.status !== 200) note('failures', `${path} returned ${response.status}: ${response.text.slice(0, 300)}`)
    const leaked = findMarks(response.text).filter((mark) => !hand.mayShow.includes(mark))
    if (leaked.length > 0) note('leaks', `${path} of ${hand.tenant} shows ${leaked}: ${response.text.slice(0, 300)}`)
  }
  const attack = async (number: number) => {
    const hand = hands[number % hands.length] as Hand
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!stopped) {
      await strike(agent, hand).catch((error) => note('failures', String(error)))
      await pause(Math.random() * 2 * pauseMs)
    }
    agent.destroy()
  }
  const attackers = Array.from({ length: CONNECTIONS }, (_, number) => attack(number))

  return {
    /** Continues until there are enough responses. */
    stop: async (minResponses: number) => {
      const deadlineMs = performance.now() + TIMEOUT_MS
      while (count.responses < minResponses && performance.now() < deadlineMs) await pause(50)
      stopped = true
      await Promise.all(attackers)
      return { ...count, examples }
    },
  }
}
