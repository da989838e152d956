import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession } from '@playwright/test'
import { notifyLinesChanged } from '#server/fleet/notify.ts'
import { appendEdges } from '#server/telemetry/terminal-states.ts'
import { withDatabase } from '../database.ts'
import type { Bench } from '../figures.ts'
import { type FleetStack, openFleetStack } from '../fleet-stack.ts'
import { findMedian } from '../median.ts'
import { launch, stepLimitMs } from './pages.ts'

const TERMINALS = 10_000
const MINUTES = 60
const CHANGES_PER_S = 5
const SAMPLES = 30
/** Memory allocated at startup does not count as growth. */
const WARM_UP = 0.2
/** Garbage collection is not exact. A leak per change would be far larger. */
const MAX_GROWTH_PERCENT = 5

interface Terminal {
  id: number
  lineId: number
  isOnline: boolean
}

const listTerminals = (stack: FleetStack, tenantId: string) =>
  stack.database.transaction({ tenantId }, async (_, client) => {
    const { rows } = await client.query<Terminal>(
      `select terminal_id as id, service_line_id as "lineId", status = 'online' as "isOnline"
       from status_intervals join terminals on terminals.tenant_id = $1 and terminals.id = terminal_id
       where status_intervals.tenant_id = $1 and ended_at is null order by terminal_id`,
      [tenantId],
    )
    return rows
  })

/** Takes terminals offline and back online every second, until `signal` aborts. */
const changeTerminals = async (stack: FleetStack, tenantId: string, signal: AbortSignal) => {
  const terminals = await listTerminals(stack, tenantId)
  for (let turn = 0; !signal.aborted; turn++) {
    const changed = Array.from(
      { length: CHANGES_PER_S },
      (_, index) => terminals[((turn * CHANGES_PER_S + index) * 7919) % terminals.length] as Terminal,
    )
    for (const terminal of changed) terminal.isOnline = !terminal.isOnline
    await stack.database.transaction({ tenantId }, async (db) => {
      const edges = changed.map(({ id, isOnline }) => ({
        terminalId: id,
        atMs: Date.now(),
        status: isOnline ? ('online' as const) : ('offline' as const),
        disabled: false,
      }))
      await notifyLinesChanged(
        db,
        tenantId,
        changed.map(({ lineId }) => lineId),
      )
      await appendEdges(db, tenantId, edges)
    })
    await pause(1000, undefined, { signal }).catch(() => undefined)
  }
}

const startWallSession = async (stack: FleetStack, tenantId: string) => {
  const { access } = await stack.signIn(tenantId)
  const response = await fetch(`${stack.url}/api/wall-sessions/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tenant': tenantId, authorization: `Bearer ${access}` },
    body: JSON.stringify({ name: 'Bench' }),
  })
  return ((await response.json()) as { token: string }).token
}

const measure = async (session: CDPSession) => {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes } = await session.send('Memory.getDOMCounters')
  return { heapMb: usedSize / 1_000_000, nodes }
}

const findGrowth = (values: readonly number[]) => {
  const third = Math.ceil(values.length / 3)
  return (findMedian(values.slice(-third)) / findMedian(values.slice(0, third)) - 1) * 100
}

/** A wall in a browser while terminals change. The arguments are the number of terminals and of minutes. */
export const measureWall: Bench = ([terminals = TERMINALS, minutes = MINUTES]) =>
  withDatabase(async (connections) => {
    const stack = await openFleetStack(connections)
    const browser = await launch()
    const stop = new AbortController()
    try {
      const tenant = `wall${terminals}`
      await stack.addFleet(tenant, terminals)
      const token = await startWallSession(stack, tenant)
      const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } })
      await context.addInitScript(`localStorage.setItem('access', '${token}')`)
      const page = await context.newPage()
      page.setDefaultTimeout(4 * stepLimitMs)
      await page.goto(`${stack.url}/dashboard?view=wall&tenant=${tenant}`)
      await page.getByText(/online, [\d,]+ of/).waitFor()
      const session = await context.newCDPSession(page)
      const changing = changeTerminals(stack, tenant, stop.signal)
      const measured: Awaited<ReturnType<typeof measure>>[] = []
      for (let sample = 0; sample < SAMPLES; sample++) {
        await pause((minutes * 60_000) / SAMPLES)
        const now = await measure(session)
        measured.push(now)
        console.log(
          `  after ${(((sample + 1) * minutes) / SAMPLES).toFixed(1)} min: ${now.heapMb.toFixed(1)} MB, ${now.nodes} nodes`,
        )
      }
      stop.abort()
      await changing
      const steady = measured.slice(Math.floor(SAMPLES * WARM_UP))
      const shown = await page.getByRole('list', { name: 'Newest events' }).getByRole('listitem').count()
      return [
        { name: 'heap after garbage collection, at the end', value: steady.at(-1)?.heapMb ?? 0, unit: 'MB' },
        {
          name: 'growth of the heap',
          value: findGrowth(steady.map(({ heapMb }) => heapMb)),
          unit: '%',
          atMost: MAX_GROWTH_PERCENT,
        },
        {
          name: 'growth of nodes of the page',
          value: findGrowth(steady.map(({ nodes }) => nodes)),
          unit: '%',
          atMost: MAX_GROWTH_PERCENT,
        },
        { name: 'events shown at the end', value: shown, unit: '', atLeast: 4 },
      ]
    } finally {
      stop.abort()
      await browser.close()
      await stack.close()
    }
  })
