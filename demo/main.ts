import { setTimeout as pause } from 'node:timers/promises'
import { formatDecimal } from '#contract/format/numbers.ts'
import type { Config } from '#server/platform/config.ts'
import { runProcess } from '#server/process/run-process.ts'
import { playFirstOutage } from './first-outage.ts'
import { type Stack, startStack } from './stack.ts'
import { demoTenants, demoUsers } from './tenants.ts'

const FLEET_TIMEOUT_MS = 60_000
const PAST_TIMEOUT_MS = 90_000
// Production waits three minutes before it calls a terminal offline. Who tries the demo sees it within the first.
const LIMITS = { offlineAfterMs: 45_000 }

const startedAt = performance.now()
const printProgress = (message: string) =>
  console.log(`[${formatDecimal((performance.now() - startedAt) / 1000, 1)} s] ${message}`)

const firstTenant = demoTenants[0]?.id as string

const countReporting = ({ installation }: Stack) =>
  installation.database.transaction({ tenantId: firstTenant }, async (db) => {
    const { count } = await db
      .selectFrom('latest')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  })

/** Waits until the connector has received telemetry, so that the first page shows a live fleet. */
const waitForFleet = async (stack: Stack, stopping: AbortSignal) => {
  const deadline = performance.now() + FLEET_TIMEOUT_MS
  while (!stopping.aborted && (await countReporting(stack)) === 0 && performance.now() < deadline) await pause(200)
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
  await waitForFleet(stack, stopping)
  // An empty list of pools would look as if there were none, and a terminal without a past as if it were new.
  const past = Promise.all([stack.poolsReady, stack.statusReady])
  await Promise.race([past, pause(PAST_TIMEOUT_MS, undefined, { ref: false, signal: stopping })]).catch(() => {})
  if (stopping.aborted) return stack.stop
  printProgress('ready')
  console.log(formatWelcome(stack.url, config))
  const outage = playFirstOutage(stack, firstTenant, log)
  return async () => {
    await outage.stop()
    await stack.stop()
  }
})
