import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { formatCounted, formatDecimal } from '#contract/format/numbers.ts'
import type { Config } from '#server/platform/config.ts'
import { runProcess } from '#server/process/run-process.ts'
import { playFirstOutage } from './first-outage.ts'
import { type Stack, startStack } from './stack.ts'
import { demoTenants, demoUsers } from './tenants.ts'
import { waitForSteps } from './wait-for-steps.ts'

const REPORT_EVERY_MS = 15_000
// Production waits three minutes before it marks a terminal offline. In the demo it happens within the first minute.
const LIMITS = { offlineAfterMs: 45_000 }

const startedAt = performance.now()
const printProgress = (message: string) =>
  console.log(`[${formatDecimal((performance.now() - startedAt) / 1000, 1)} s] ${message}`)

const firstTenant = demoTenants[0]?.id as string

const countRead = async ({ installation }: Stack) => {
  const sum = { lines: 0, terminals: 0, linesWithUsage: 0 }
  for (const { id } of demoTenants) {
    const counting = sql<typeof sum>`
      select (select count(*) from service_lines where tenant_id = ${id}) as lines,
        (select count(*) from terminals where tenant_id = ${id}) as terminals,
        (select count(distinct service_line_id) from line_usage where tenant_id = ${id}) as "linesWithUsage"`
    const { rows } = await installation.database.transaction({ tenantId: id }, (db) => counting.execute(db))
    for (const { lines, terminals, linesWithUsage } of rows) {
      sum.lines += lines
      sum.terminals += terminals
      sum.linesWithUsage += linesWithUsage
    }
  }
  const usage = `usage of ${formatCounted(sum.linesWithUsage, 'line')}`
  return [formatCounted(sum.lines, 'line'), formatCounted(sum.terminals, 'terminal'), usage].join(', ')
}

/** Waits until telemetry of each reseller is received and stored, so that the first page shows a live fleet. */
const waitForTelemetry = async ({ installation }: Stack, stopping: AbortSignal) => {
  const hasTelemetry = (tenantId: string) =>
    installation.database.transaction({ tenantId }, (db) =>
      db
        .selectFrom('vendor_feeds')
        .select('feed')
        .where('tenant_id', '=', tenantId)
        .where('feed', '=', 'telemetry')
        .where('last_success_at', 'is not', null)
        .executeTakeFirst(),
    )
  for (const { id } of demoTenants.filter(({ share }) => share > 0))
    while (!stopping.aborted && !(await hasTelemetry(id))) await pause(200)
}

/**
 * Waits until the list and the pools exist: an empty list of pools would look as if there were none, and a terminal
 * without a history as if it were new. With many terminals that takes longer, and the progress says what is missing.
 */
const waitForFleet = (stack: Stack, stopping: AbortSignal) =>
  waitForSteps(
    [
      { name: 'terminals', done: stack.statusReady },
      { name: 'usage, users and pools', done: stack.poolsReady },
      { name: 'telemetry', done: waitForTelemetry(stack, stopping) },
    ],
    {
      stopping,
      pause: () => pause(REPORT_EVERY_MS, undefined, { ref: false }),
      onWaiting: async (missing) =>
        printProgress(`reading the fleet: ${await countRead(stack)}; waiting for ${missing.join('; ')}`),
    },
  )

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
  if (stopping.aborted) return stack.stop
  printProgress('ready')
  console.log(formatWelcome(stack.url, config))
  const outage = playFirstOutage(stack, firstTenant, log)
  return async () => {
    await outage.stop()
    await stack.stop()
  }
})
