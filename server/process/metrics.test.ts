import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFeedHealth } from '../telemetry/feed-health.ts'
import { createFeedMonitor } from '../telemetry/feed-monitor.ts'
import { openSpool } from '../telemetry/spool.ts'
import { telemetryBody } from '../telemetry/testing/telemetry-body.ts'
import { createTwoFeeds, type TwoFeeds } from '../telemetry/testing/two-feeds.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { startHealthServer } from './health-server.ts'

const log = pino({ level: 'silent' })
const METRICS_TOKEN = 'a token for the metrics'
const monitor = createFeedMonitor()

let server: TestServer
let feeds: TwoFeeds
let health: Awaited<ReturnType<typeof startHealthServer>>
beforeAll(async () => {
  server = await startTestServer({ METRICS_TOKEN, DATA_DIR: tmpdir() })
  server.services.now = () => new Date()
  feeds = await createTwoFeeds(monitor)
  const folder = await mkdtemp(join(tmpdir(), 'spool-'))
  const spool = await openSpool({ folder, maxBytes: 1_000_000, log })
  health = await startHealthServer({ ...server.services, spool, monitor }, 0, log)
})
afterAll(async () => {
  await health.close()
  await feeds.close()
  await server.close()
})

const scrape = async () => {
  const response = await fetch(`${health.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  expect(response.status).toBe(200)
  return response.text()
}

const readValue = (text: string, series: string) => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

test('a process that only works serves health and metrics, the latter with the token only', async () => {
  for (const path of ['/healthz', '/readyz']) expect((await fetch(health.url + path)).status).toBe(200)
  expect((await fetch(`${health.url}/metrics`)).status).toBe(401)
  expect((await fetch(`${health.url}/api/config/`)).status).toBe(404)
  expect(await scrape()).toContain('roles="work"')
})

test('batches and rows are counted, and ages are those of the worst credential', async () => {
  const { alpha, beta, nowMs } = feeds
  nowMs.value = Date.now()
  await feeds.receive(alpha, telemetryBody([{ device: 'one', atMs: nowMs.value - 30_000 }]))
  const rows = ['one', 'two'].map((device) => ({ device, atMs: nowMs.value - 400_000 }))
  await feeds.receive(beta, telemetryBody(rows))
  const report = createFeedHealth({ ...alpha, feed: 'inventory', log })
  await report.failed(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }), { retryInMs: 1 })
  const text = await scrape()
  expect(readValue(text, 'vendor_credentials')).toBe(2)
  expect(readValue(text, 'telemetry_batches_total')).toBe(2)
  expect(readValue(text, 'telemetry_rows_total')).toBe(3)
  expect(readValue(text, 'telemetry_newest_sample_age_seconds')).toBeGreaterThanOrEqual(400)
  expect(readValue(text, 'vendor_feed_failures_total{feed="inventory",kind="database"}')).toBe(1)
  expect(readValue(text, 'database_up')).toBe(1)
  expect(readValue(text, 'database_pool_max_connections{pool="main"}')).toBe(10)
  expect(readValue(text, 'data_disk_free_bytes')).toBeGreaterThan(0)
})

test('the roll-up lag is zero once the tiers are computed, and grows when they are not', async () => {
  const { alpha, nowMs } = feeds
  alpha.completeUntilMs.set('tier_2min', nowMs.value - 3_600_000)
  alpha.advanceWatermark(nowMs.value)
  expect(readValue(await scrape(), 'telemetry_rollup_lag_seconds{tier="tier_2min"}')).toBeGreaterThan(3_300)
  alpha.completeUntilMs.set('tier_2min', nowMs.value)
  expect(readValue(await scrape(), 'telemetry_rollup_lag_seconds{tier="tier_2min"}')).toBe(0)
})

test('no metric has a tenant as a label', async () => {
  expect(await scrape()).not.toMatch(/tenant|alpha|beta/)
})

const readRepositoryFile = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const alerts = readRepositoryFile('monitoring/alerts.yml')
const dashboard = JSON.parse(readRepositoryFile('monitoring/dashboard.json')) as {
  panels: { targets?: { expr: string }[] }[]
}

/** The metric names in a PromQL expression: words that are not functions, keywords or labels. */
const listMetrics = (expression: string) => {
  const bare = expression
    .replace(/"[^"]*"/g, '')
    .replace(/\b(by|without|on|ignoring) \([^)]*\)/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
  return [...bare.matchAll(/[a-z_:][\w:]*/g)]
    .map(([name]) => name)
    .filter(
      (name) => !/^(absent|abs|count|max|min|sum|rate|increase|histogram_quantile|or|and|unless|e\d+)$/.test(name),
    )
}

test('the alert rules and the dashboard name only metrics that the processes export', async () => {
  const serving = await server.call('a', 'GET', '/metrics', { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const exported = new Set(['up'])
  for (const [, name = '', type] of `${await scrape()}${serving.body}`.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    exported.add(name)
    if (type === 'histogram') for (const part of ['bucket', 'count', 'sum']) exported.add(`${name}_${part}`)
  }
  const expressions = [
    ...[...alerts.matchAll(/^ +expr: (.+)$/gm)].map(([, expression = '']) => expression),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ]
  const named = expressions.flatMap(listMetrics)
  expect(expressions.length).toBeGreaterThan(40)
  expect(named.length).toBeGreaterThan(expressions.length)
  expect(named.filter((name) => !exported.has(name))).toEqual([])
})

test('every alert is tested and documented', () => {
  const names = [...alerts.matchAll(/alert: (\w+)/g)].map(([, name]) => name)
  const tests = readRepositoryFile('monitoring/alerts.test.yml')
  const page = readRepositoryFile('docs/alerts.md')
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !tests.includes(`alertname: ${name}\n        exp_alerts:`))).toEqual([])
  expect(names.filter((name) => !page.includes(`| ${name} |`))).toEqual([])
})
