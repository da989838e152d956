import { join } from 'node:path'
import { atLeast, atMost, exactly, type Figure, none } from '../figure.ts'
import type { Child } from '../multi-process/child.ts'
import type { Client } from '../multi-process/client.ts'
import { type LiveWatch, watchLive } from '../multi-process/live-watch.ts'
import type { MultiProcessStack } from '../multi-process/stack.ts'
import type { Write } from '../multi-process/writers.ts'
import { findTool } from '../tools/find-tool.ts'
import { startNginx } from '../tools/nginx.ts'
import { measureReach } from './live-reach.ts'
import { startRollingLoad } from './rolling-load.ts'

const EXIT_WITHIN_MS = 25_000
const STREAMS = 6

interface Restart {
  url: string
  serves: readonly Child[]
  admin: Client
  line: Write['line']
  watches: readonly LiveWatch[]
}

/** One after the other, each once the previous one is ready, as docs/operating.md describes. */
const restartEach = async ({ url, serves, admin, line, watches }: Restart, round: number) => {
  const stops: { code: number | null; ms: number }[] = []
  let missed = 0
  for (const serve of serves) {
    stops.push(await serve.stop())
    serve.start()
    await serve.untilReady()
    const change = { client: admin, line, urls: [url], watches, round: `${round} ${serve.name}` }
    missed += (await measureReach(change, 1)).missed
  }
  return { stops, missed }
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0)

interface RollingRestart {
  figures: Figure[]
  /** For comparison with the database. */
  writes: Write[]
}

/** Restarts three processes behind nginx, one after the other, while users read and write. */
export const restartBehindNginx = async (
  stack: MultiProcessStack,
  serves: readonly [Child, Child, Child],
  { isFull, log }: { isFull: boolean; log: (message: string) => void },
): Promise<RollingRestart> => {
  const program = findTool('nginx')
  if (!program) {
    log('nginx is not installed, so the rolling restart is not tested and not counted')
    return { figures: [], writes: [] }
  }
  const upstreams = serves.map((serve) => new URL(serve.url).host) as [string, string, string]
  const nginx = await startNginx({ program, folder: join(stack.folder, 'nginx'), upstreams })
  const load = await startRollingLoad(stack.database, nginx.url)
  const [admin, line] = [load.admins[0], load.writes[0]?.line]
  if (!admin || !line) throw new Error('Nobody writes.')
  const watches = Array.from({ length: STREAMS }, () => watchLive(admin, nginx.url))

  const rounds = []
  for (let round = 0; round < (isFull ? 5 : 1); round++)
    rounds.push(await restartEach({ url: nginx.url, serves, admin, line, watches }, round))
  await load.stop()
  for (const watch of watches) await watch.stop()

  if (load.failed.size > 0) log(nginx.readErrors().slice(-20).join('\n'))
  const stops = rounds.flatMap((round) => round.stops)
  return {
    writes: load.writes,
    figures: [
      exactly(
        'methods in a rolling restart behind nginx',
        [...load.sent.keys()].sort().join(' '),
        'DELETE GET PATCH POST PUT',
      ),
      atLeast('requests during it', sum(load.sent.values()), isFull ? 5_000 : 100),
      none('requests that failed', load.failed),
      // Not because of the restart, but of a machine that is busy with other work.
      { ...exactly('requests put off with 503 and Retry-After', load.putOff(), 0), timed: true },
      exactly('exits with a code other than 0', stops.filter(({ code }) => code !== 0).length, 0),
      atMost('stopped process gone, slowest', Math.max(...stops.map(({ ms }) => ms)), EXIT_WITHIN_MS, 'ms'),
      exactly('changes missed by streams that had to connect again', sum(rounds.map(({ missed }) => missed)), 0),
    ],
  }
}
