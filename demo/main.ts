import { setTimeout as pause } from 'node:timers/promises'
import { formatCount, formatDecimal } from '#contract/format/numbers.ts'
import type { Config } from '#server/platform/config.ts'
import { runProcess } from '#server/process/run-process.ts'
import { playFirstOutage } from './first-outage.ts'
import { type Stack, startStack } from './stack.ts'
import { demoTenants, demoUsers } from './tenants.ts'

const TELEMETRY_TIMEOUT_MS = 60_000
const PAST_TIMEOUT_MS = 5 * 60_000
const REPORT_EVERY_MS = 15_000
// Production waits three minutes before it calls a terminal offline. Who tries the demo sees it within the first.
const LIMITS = { offlineAfterMs: 45_000 }

const startedAt = performance.now()
const printProgress = (message: string) =>
  console.log(`[${formatDecimal((performance.now() - startedAt) / 1000, 1)} s] ${message}`)

const firstTenant = demoTenants[0]?.id as string

const countRows = ({ installation }: Stack, table: 'latest' | 'terminals') =>
  installation.database.transaction({ tenantId: firstTenant }, async (db) => {
    const { count } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  })

/**
 * Waits until the list and the pools are there: an empty list of pools would look as if there were none, and a terminal
 * without a past as if it were new. With many terminals that takes longer, and the progress says what is missing.
 */
const waitForPast = async (stack: Stack, stopping: AbortSignal) => {
  const missing = new Set(['terminals', 'usage, users and pools'])
  const arrived = (name: string) => () => void missing.delete(name)
  const past = Promise.all([
    stack.statusReady.then(arrived('terminals')),
    stack.poolsReady.then(arrived('usage, users and pools')),
  ])
  const stopped = new Promise<void>((resolve) => stopping.addEventListener('abort', () => resolve(), { once: true }))
  const deadline = performance.now() + PAST_TIMEOUT_MS
  while (missing.size > 0 && !stopping.aborted && performance.now() < deadline) {
    const isDue = pause(REPORT_EVERY_MS, true, { ref: false })
    if ((await Promise.race([past, stopped, isDue])) !== true) continue
    const known = formatCount(await countRows(stack, 'terminals'))
    printProgress(`reading the fleet: ${known} terminals so far, waiting for ${[...missing].join('; ')}`)
  }
  if (missing.size > 0 && !stopping.aborted) printProgress(`still to come: ${[...missing].join('; ')}`)
}

/** Waits until the connector has received telemetry, so that the first page shows a live fleet; in vain if all are down. */
const waitForTelemetry = async (stack: Stack, stopping: AbortSignal) => {
  const deadline = performance.now() + TELEMETRY_TIMEOUT_MS
  while (!stopping.aborted && (await countRows(stack, 'latest')) === 0 && performance.now() < deadline) await pause(200)
}

const formatWelcome = (url: string, { smtpUrl }: Config) => {
  const { port } = new URL(url)
  const local = `http://localhost:${port}`
  const signIns = demoUsers.map(
    ({ name, password, role, group }) =>
      `  ${`${name}@${firstTenant}.example`.padEnd(24)}${password.padEnd(15)}${role === 'admin' ? 'administrator' : `group ${group}`}`,
  )
  const outbox = smtpUrl === undefined ? `Mail is not sent; read it at ${local}/outbox\n` : ''
  const tenants = demoTenants.map(({ id }) => `  ${local}/?tenant=${id}`)
  return `
Dishboard is ready: ${local}/

Choose there whom to sign in as, or sign in as
${signIns.join('\n')}

Each reseller has the same users under its own name (admin@microcom.example, …):
${tenants.join('\n')}

${outbox}API: ${local}/api/docs    Stop: Ctrl-C
`
}

await runProcess({ serves: true }, async (config, log, stopping) => {
  const stack = await startStack({ config, log, onProgress: printProgress, limits: LIMITS, hasPast: true, stopping })
  printProgress('reading the fleet')
  await waitForPast(stack, stopping)
  await waitForTelemetry(stack, stopping)
  if (stopping.aborted) return stack.stop
  printProgress('ready')
  console.log(formatWelcome(stack.url, config))
  const outage = playFirstOutage(stack, firstTenant, log)
  return async () => {
    await outage.stop()
    await stack.stop()
  }
})
