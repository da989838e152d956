import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Database } from '../platform/database/database.ts'
import { listenToDatabase } from '../platform/database/listen.ts'
import { WAKE_CHANNEL } from './wake.ts'

interface Options {
  database: Database
  connection: pg.ClientConfig
  log: FastifyBaseLogger
  now: () => Date
  /** Does what there is to do for a tenant and answers when to look again; undefined: when it is woken. */
  work: (tenantId: string) => Promise<Date | undefined>
}

export interface TenantWork {
  stop: () => Promise<void>
}

// A notification can be missed while the connection is down; looking at every tenant now and then makes up for it.
const SWEEP_EVERY_MS = 30_000
const RETRY_MS = 5_000
const LONGEST_TIMER_MS = 3_600_000

/** Looks at a tenant when a transaction woke us for it, when something of it is due, and now and then at all of them. */
export const startTenantWork = ({ database, connection, log, now, work }: Options): TenantWork => {
  const running = new Map<string, Promise<void>>()
  const again = new Set<string>()
  const timers = new Map<string, NodeJS.Timeout>()
  let failing = false
  let stopped = false

  const lookLater = (tenantId: string, afterMs: number) => {
    clearTimeout(timers.get(tenantId))
    const delayMs = Math.min(Math.max(afterMs, 0), LONGEST_TIMER_MS)
    timers.set(
      tenantId,
      setTimeout(() => look(tenantId), delayMs),
    )
  }

  const runOnce = async (tenantId: string) => {
    try {
      const next = await work(tenantId)
      failing = false
      if (next && !stopped) lookLater(tenantId, next.getTime() - now().getTime())
    } catch (error) {
      if (!failing) log.error({ err: error, tenantId }, 'Work for a tenant failed; it is tried again.')
      failing = true
      if (!stopped) lookLater(tenantId, RETRY_MS)
    }
    running.delete(tenantId)
    if (again.delete(tenantId)) look(tenantId)
  }

  const look = (tenantId: string) => {
    if (stopped) return
    if (running.has(tenantId)) again.add(tenantId)
    else running.set(tenantId, runOnce(tenantId))
  }

  const sweep = async () => {
    try {
      const tenants = await database.outsideTenants.selectFrom('tenants').select('id').execute()
      for (const { id } of tenants) look(id)
    } catch (error) {
      log.warn({ err: error }, 'The tenants could not be listed; tried again soon.')
    }
  }

  const sweeping = setInterval(sweep, SWEEP_EVERY_MS)
  const listener = listenToDatabase({ connection, log })
  void listener.subscribe({
    channel: WAKE_CHANNEL,
    onNotification: look,
    onConnected: () => void sweep(),
  })

  return {
    stop: async () => {
      stopped = true
      clearInterval(sweeping)
      for (const timer of timers.values()) clearTimeout(timer)
      await listener.close()
      await Promise.all(running.values())
    },
  }
}
