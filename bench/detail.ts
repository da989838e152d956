import { Worker } from 'node:worker_threads'
import pino from 'pino'
import * as z from 'zod/mini'
import { periodsMin } from '#contract/period.ts'
import { route } from '#contract/route.ts'
import { createFleet } from '#server/fleet/fleet.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { listenToDatabase } from '#server/platform/database/listen.ts'
import { type Handlers, mount } from '#server/platform/http/mount.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { type AppServices, authentication, createApp } from '#server/process/app.ts'
import { readConfig } from '#server/process/config.ts'
import type { CallerData, Timings } from './call-in-turns.ts'
import type { Figure } from './figures.ts'
import { TENANT, TERMINALS, USER } from './fill-store.ts'
import { openTelemetryStore, type TelemetryStore } from './telemetry-store.ts'

/** The cost of a signed-in call that reads one row: the reference for the other calls. */
const oneRow = {
  get: route({
    method: 'POST',
    path: '/one-row/:number/',
    access: 'user',
    summary: 'One indexed row',
    input: z.strictObject({ number: z.string() }),
    output: z.object({ nickname: z.string() }),
  }),
}

const oneRowHandlers: Handlers<typeof oneRow> = {
  get: ({ transaction, tenantId }, { number }) =>
    transaction((db) =>
      db
        .selectFrom('service_lines')
        .select('nickname')
        .where('tenant_id', '=', tenantId)
        .where('service_line_number', '=', number)
        .executeTakeFirstOrThrow(),
    ),
}

const serve = async (store: TelemetryStore) => {
  const log = pino({ level: 'warn' })
  const database = openDatabase(store.runtime, (error) => log.warn(error))
  const listener = listenToDatabase({ connection: store.runtime, log })
  const fleet = await createFleet({ database, listener, log })
  const services: AppServices = {
    config: readConfig({}),
    database,
    secrets: deriveSecrets('a key for the bench, long enough to be valid'),
    fleet,
    now: () => new Date(store.nowMs),
  }
  const app = await createApp(services, log)
  mount(app, { services, ...authentication, listScopes: () => [] }, oneRow, oneRowHandlers)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const close = async () => {
    await app.close()
    await fleet.close()
    await listener.close()
    await database.close()
  }
  return { url, close }
}

const signIn = async (url: string) => {
  const response = await fetch(`${url}/api/user/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tenant': TENANT },
    body: JSON.stringify(USER),
  })
  const { access } = (await response.json()) as { access?: string }
  if (!access) throw new Error(`Signing in returned ${response.status}.`)
  return access
}

/** Runs in its own thread, so that reading the responses does not slow down the server. */
const callInTurns = (data: CallerData) =>
  new Promise<Timings>((resolve, reject) => {
    const worker = new Worker(new URL('./call-in-turns.ts', import.meta.url), { workerData: data })
    worker.once('message', resolve)
    worker.once('error', reject)
  })

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number

const names: Record<(typeof periodsMin)[number], string> = {
  15: '15 min',
  180: '3 h',
  1440: '24 h',
  10080: '7 d',
  43200: '30 d',
  86400: '60 d',
}

const ROUNDS = { rounds: 400, warmUps: 40, terminals: TERMINALS }

/** Processor time of the server's thread for one call. The caller and the database have their own. */
const measureProcessorMs = async (url: string, token: string, path: string) => {
  const { rounds, terminals } = ROUNDS
  const before = process.threadCpuUsage()
  await callInTurns({ url, token, paths: [path], rounds, warmUps: 0, terminals })
  const after = process.threadCpuUsage()
  return (after.user + after.system - before.user - before.system) / 1_000 / rounds
}

/** Compares POST /terminals/{id}/{period}/ with a call that reads one indexed row, alternating. */
export const measureDetail = async (): Promise<Figure[]> => {
  const store = await openTelemetryStore()
  const server = await serve(store)
  try {
    const token = await signIn(server.url)
    const paths = ['/api/one-row/SL-{}/', ...periodsMin.map((period) => `/api/terminals/SL-{}/${period}/`)]
    const timings = await callInTurns({ url: server.url, token, paths, ...ROUNDS })
    const [base, ...periods] = timings.map(({ ms, bytes }) => {
      const sorted = [...ms].sort((one, other) => one - other)
      return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), bytes }
    }) as [{ p50: number; p99: number }, ...{ p50: number; p99: number; bytes: number }[]]
    const processorMs: number[] = []
    for (const path of paths) processorMs.push(await measureProcessorMs(server.url, token, path))
    return [
      { name: 'one indexed row: processor time', value: processorMs[0] as number, unit: 'ms' },
      { name: 'one indexed row, p50', value: base.p50, unit: 'ms' },
      { name: 'one indexed row, p99', value: base.p99, unit: 'ms' },
      ...periods.flatMap(({ p50, p99, bytes }, index): Figure[] => {
        const name = names[periodsMin[index] as keyof typeof names]
        return [
          { name: `${name}: processor time`, value: processorMs[index + 1] as number, unit: 'ms' },
          { name: `${name}: size of the response`, value: bytes / 1024, unit: 'KiB' },
          { name: `${name}: p50`, value: p50, unit: 'ms' },
          { name: `${name}: p50 as a multiple of one row`, value: p50 / base.p50, unit: '×', atMost: 3 },
          { name: `${name}: p99 as a multiple of one row`, value: p99 / base.p99, unit: '×', atMost: 5 },
        ]
      }),
    ]
  } finally {
    await server.close()
    await store.close()
  }
}
