import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { withDatabase } from '#bench/database.ts'
import { openFleetStack } from '#bench/fleet-stack.ts'
import { notifyLinesChanged } from '#server/fleet/notify.ts'
import { addApiToken } from '#server/testing/add-api-token.ts'
import { openRunFolder } from '#server/testing/run-folder.ts'
import { onCleanup } from '../cleanup.ts'
import { atMost, exactly } from '../figure.ts'
import type { Proof } from '../proof.ts'
import { findTool } from '../tools/find-tool.ts'
import { startPrometheus } from '../tools/prometheus.ts'

const TERMINALS = { short: 1_000, full: 10_000 }
const SCRAPES = 20
const MAX_WAIT_MS = 60_000
const CHANGED_MAX_MS = 1_000
const UNCHANGED_MAX_MS = 50

/** Requests the compressed body, like Prometheus, and does not decompress it: this measures the server. */
const countBytes = (url: string, token: string) =>
  new Promise<number>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' }
    request(url, { headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () =>
        response.statusCode === 200 ? resolve(bytes) : reject(new Error(`a scrape returned ${response.statusCode}`)),
      )
    })
      .on('error', reject)
      .end()
  })

const buildConfig = (url: string, token: string) => `
scrape_configs:
  - job_name: fleet
    scrape_interval: 2s
    metrics_path: /api/fleet-metrics/
    authorization: { credentials: ${token} }
    static_configs: [{ targets: ['${new URL(url).host}'] }]
`

export const fleetMetrics: Proof = {
  name: 'fleet-metrics',
  about:
    'A real Prometheus scrapes the metrics of 10,000 terminals, in the short form of 1,000, with an API token, and a scrape costs little.',
  run: async ({ form, log }) => {
    const terminals = TERMINALS[form]
    const program = findTool('prometheus')
    if (!program) {
      log('There is no prometheus; `apt-get install prometheus` installs it.')
      return undefined
    }
    return withDatabase(async (connections) => {
      const stack = await openFleetStack(connections)
      const tenantId = 'fleet'
      await stack.addFleet(tenantId, terminals)
      const addToken = async () => {
        const owner = new pg.Client(connections.owner)
        await owner.connect()
        await owner.query(`set app.tenant_id = '${tenantId}'`)
        const { rows } = await owner.query('select id from users')
        const added = await addApiToken(owner, tenantId, { userId: rows[0].id, scopes: ['metrics:read'] })
        await owner.end()
        return added.token
      }
      const token = await addToken()

      const scrape = async () => {
        const before = process.cpuUsage()
        const bytes = await countBytes(`${stack.url}/api/fleet-metrics/`, token)
        const { user, system } = process.cpuUsage(before)
        return { bytes, cpuMs: (user + system) / 1000 }
      }
      const first = await scrape()
      log(`${first.bytes.toLocaleString('en-US')} bytes compressed`)

      const changeAll = async () => {
        const snapshot = await stack.fleet.snapshot(tenantId)
        const before = snapshot.revision({ group: undefined })
        await stack.database.transaction({ tenantId }, async (db, client) => {
          await client.query('update latest set latency_ms = latency_ms + 1')
          const { rows } = await client.query<{ id: number }>('select id from service_lines')
          await notifyLinesChanged(
            db,
            tenantId,
            rows.map(({ id }) => id),
          )
        })
        while (snapshot.revision({ group: undefined }) === before) await pause(20)
        for (let last = ''; last !== snapshot.revision({ group: undefined }); await pause(300))
          last = snapshot.revision({ group: undefined })
      }
      await changeAll()
      const changed = await scrape()
      const unchanged = []
      for (let time = 0; time < SCRAPES; time++) unchanged.push((await scrape()).cpuMs)
      const unchangedMs = unchanged.toSorted((a, b) => a - b)[SCRAPES >> 1] as number
      log(`processor time of a scrape: ${changed.cpuMs.toFixed(0)} ms changed, ${unchangedMs.toFixed(1)} ms unchanged`)

      const { folder, close } = openRunFolder()
      onCleanup(close)
      const config = buildConfig(stack.url, token)
      const prometheus = await startPrometheus({ program, folder: join(folder, 'prometheus'), config })
      const deadline = performance.now() + MAX_WAIT_MS
      while ((await prometheus.query('count(dishboard_terminal_info)')) === undefined && performance.now() < deadline)
        await pause(250)
      const ask = async (text: string) => (await prometheus.query(text)) ?? Number.NaN
      const figures = [
        exactly('terminals that Prometheus has', await ask('count(dishboard_terminal_info)'), terminals),
        exactly(
          'of them, online',
          await ask('count(dishboard_terminal_status{dishboard_terminal_status="online"} == 1)'),
          terminals * 0.9,
        ),
        exactly(
          'downlinks joined with the name of their terminal',
          await ask(
            'count(dishboard_terminal_downlink_bits_per_second * on (terminal) group_left (name) dishboard_terminal_info)',
          ),
          terminals * 0.9,
        ),
        exactly('scrapes that failed', await ask('sum(1 - up{job="fleet"})'), 0),
        {
          timed: true,
          ...atMost('processor time of a scrape after every terminal changed', changed.cpuMs, CHANGED_MAX_MS, 'ms'),
        },
        { timed: true, ...atMost('processor time of a scrape without a change', unchangedMs, UNCHANGED_MAX_MS, 'ms') },
      ]
      if (figures.some(({ pass }) => !pass)) log(prometheus.readLog().slice(-2_000))
      await stack.close()
      return figures
    })
  },
}
