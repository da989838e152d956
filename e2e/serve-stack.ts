import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { startStack } from '#demo/stack.ts'
import { readConfig } from '#server/process/config.ts'
import { setTestHashing } from '#server/testing/hashing.ts'
import { addTenant } from './add-tenant.ts'
import { marketingUrl } from './addresses.ts'
import { addKnownFleets } from './known-fleet.ts'
import { startTileServer } from './tile-server.ts'
import { addWidgetsTenant } from './widgets-tenant.ts'

// Runs the whole stack in a separate process and prints its addresses as one line of JSON.
const dataDir = await mkdtemp(join(tmpdir(), 'dishboard-e2e-'))
const config = readConfig({
  OUTBOUND_NETWORKS: '127.0.0.0/8',
  PORT: '0',
  DATA_DIR: dataDir,
  DEMO: '1',
  DEMO_TERMINALS: '24',
  MARKETING_URL: marketingUrl,
  // Tests never use the internet.
  TILES_LIGHT_URL: 'none',
  TILES_DARK_URL: 'none',
  LOG_LEVEL: 'error',
})

/** Else outages of the simulated past and future would decide, by the time of day, what the tests find. */
const bringUp = async (simulatorUrl: string) => {
  const url = `${simulatorUrl}/simulator/terminals`
  const { terminals } = (await (await fetch(url)).json()) as { terminals: { userTerminalId: string; role: string }[] }
  for (const { userTerminalId, role } of terminals)
    if (role === 'ordinary' || role === 'disabled') await fetch(`${url}/${userTerminalId}/up`, { method: 'POST' })
}

const start = async () => {
  setTestHashing()
  const stack = await startStack({
    config,
    log: pino({ level: config.logLevel }, pino.destination(2)),
    // Telemetry arrives every 15 s. Production waits three minutes before it marks a terminal offline; tests wait less.
    limits: { offlineAfterMs: 35_000, lingerMs: 1000, sweepEveryMs: 1000 },
  })
  await addWidgetsTenant(stack.installation)
  await addKnownFleets(stack.installation)
  const tiles = await startTileServer()
  await addTenant(stack.installation, 'tiles', {
    company_name: 'Tiles',
    mapTiles: {
      light: `${tiles.url}/light/{z}/{x}/{y}`,
      dark: `${tiles.url}/dark/{z}/{x}/{y}`,
      attribution: 'Tiles of the tests, © OpenStreetMap contributors',
    },
  })
  await addTenant(stack.installation, 'guarded', { company_name: 'Guarded' })
  await addTenant(stack.installation, 'sign_on', { company_name: 'Sign On' })
  await bringUp(stack.simulator.origin)
  // The first inventory and the first telemetry arrive shortly after the start.
  const tenantId = 'dishboard'
  const hasTelemetry = () =>
    stack.installation.database.transaction({ tenantId }, (db) =>
      db.selectFrom('latest').select('terminal_id').limit(1).executeTakeFirst(),
    )
  while (!(await hasTelemetry())) await pause(200)
  return { stack, tiles }
}

const started = start()
const end = async (code: number) => {
  // A stack that is still starting cannot be stopped yet.
  const running = await started.catch(() => undefined)
  running?.tiles.close()
  await running?.stack.stop()
  await rm(dataDir, { recursive: true, force: true })
  process.exit(code)
}
// Stdin closes when the test run ends, even after a crash. Ctrl-C reaches this process too, which must not exit before
// it has cleaned up.
process.stdin.resume().once('end', () => void end(0))
process.once('SIGTERM', () => void end(0))
process.on('SIGINT', () => undefined)

const { stack, tiles } = await started.catch(async (error) => {
  console.error(error)
  return end(1)
})
console.log(JSON.stringify({ url: stack.url, simulatorUrl: stack.simulator.origin, tilesUrl: tiles.url }))
