import pg from 'pg'
import { cleanUpAll } from '../cleanup.ts'
import { atLeast, atMost, exactly, type Figure, none } from '../figure.ts'
import { accountFor } from '../multi-process/accounting.ts'
import { msUntil } from '../multi-process/client.ts'
import { watchLive } from '../multi-process/live-watch.ts'
import { type MultiProcessStack, openMultiProcessStack } from '../multi-process/stack.ts'
import { accountForTelemetry } from '../multi-process/telemetry-accounting.ts'
import { startWriters, type Writers } from '../multi-process/writers.ts'
import type { Proof, ProofContext } from '../proof.ts'
import { fillDisk } from './disk-full.ts'
import { outlastOutages } from './outage.ts'
import { killDatabase, killServing, killWorking } from './rounds.ts'

const JOB_WITHIN_MS = 30_000
const MAIL_WITHIN_MS = 60_000

const worst = (values: readonly number[]) => Math.max(...values)

/** Enqueues a job and returns how long it took until a worker had done it. */
const msUntilJobDone = async ({ owner }: MultiProcessStack) => {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    const { rows } = await client.query<{ at: Date }>(
      `insert into job_requests (queue) values ('partitions') returning clock_timestamp() as at`,
    )
    await client.query(`select pg_notify('jobs', '["partitions","",""]')`)
    return await msUntil(async () => {
      const done = await client.query("select from jobs where queue = 'partitions' and finished_at > $1", [rows[0]?.at])
      return done.rowCount === 1
    })
  } finally {
    await client.end()
  }
}

const MARK = /notice-[a-z]+\d-\d+/

/** The mail of every acknowledged notice was sent or is still queued; a mail that was sent twice has one Message-ID. */
const accountForMail = async ({ mail, database }: MultiProcessStack, { ledger }: Writers) => {
  const ids = new Map<string, Set<string>>()
  for (const { header, part } of mail.mails) {
    const mark = MARK.exec(part('text/plain') ?? '')?.[0]
    if (mark) ids.set(mark, (ids.get(mark) ?? new Set()).add(header('Message-ID') ?? ''))
  }
  const waiting = new Set<string>()
  for (const tenantId of ['alpha', 'beta']) {
    const rows = await database.transaction({ tenantId }, (db) =>
      db.selectFrom('messages').select('text').where('state', 'in', ['queued', 'sending']).execute(),
    )
    for (const { text } of rows) waiting.add(MARK.exec(text)?.[0] ?? '')
  }
  const notices = ledger.writes.filter(({ kind, acknowledged }) => acknowledged && kind.name === 'notice')
  return {
    gone: notices.filter(({ mark }) => !ids.has(mark) && !waiting.has(mark)).length,
    renamed: [...ids.values()].filter(({ size }) => size > 1).length,
  }
}

const killAll = async ({ form, log }: ProofContext): Promise<Figure[]> => {
  const rounds = form === 'full' ? 30 : 3
  const stack = await openMultiProcessStack({ terminals: 100 })
  const serve = await stack.child('serve', 'serve')
  const work = await stack.child('work', 'work')
  await serve.untilReady()
  await stack.waitForFleet()
  const writers = await startWriters(stack.database, [serve.url])
  const client = writers.clients.get('alpha')
  if (!client) throw new Error('Nobody is signed in.')
  const live = watchLive(client, serve.url)

  // Serial, so that one start does not slow down the other.
  log(`killing serve ${rounds} times`)
  const serveReadyMs = await killServing(serve, rounds)
  log(`killing work ${rounds} times`)
  const worked = await killWorking(stack, work, rounds)
  log(`killing the database ${rounds} times; ${writers.acknowledged()} writes acknowledged so far`)
  const { line } = writers.ledger.writes.find(({ kind }) => kind.name === 'reboot') ?? { line: undefined }
  if (!line) throw new Error('There is no line to write to.')
  const putOffBefore = writers.ledger.putOff
  const database = await killDatabase({ stack, client, url: serve.url, line, live }, rounds)
  const putOff = writers.ledger.putOff - putOffBefore
  const least = form === 'full' ? 20_000 : 300
  await msUntil(() => writers.acknowledged() >= least)
  await writers.stop()
  await live.stop()

  const jobMs = await msUntilJobDone(stack)
  const mailMs = await msUntil(async () => (await accountForMail(stack, writers)).gone === 0)
  log('comparing acknowledged writes with the database')
  const found = await accountFor(stack.database, writers.ledger)
  const telemetry = await accountForTelemetry(stack.database, stack.gate)
  const mail = await accountForMail(stack, writers)

  return [
    exactly('kills of serve, of work and of the database, each', rounds, rounds),
    atLeast('acknowledged writes', found.acknowledged, least),
    exactly('acknowledged writes lost', found.lost, 0),
    exactly('writes duplicated', found.doubled, 0),
    exactly('audit chains that do not verify', found.brokenChains, 0),
    none('responses other than success, or 503 with Retry-After', writers.ledger.wrong),
    atLeast('responses of 503 with Retry-After while the database was down', putOff, 1),
    atMost('slowest response', writers.ledger.longestResponseMs, 10_000, 'ms'),
    exactly('unexpected exits of processes', serve.exits() + work.exits(), 0),
    atMost('server ready again after kill -9, slowest', worst(serveReadyMs), 3_000, 'ms'),
    atMost('database ready again after kill -9, slowest', worst(database.readyMs), 10_000, 'ms'),
    atMost('live change received after the database came back, slowest', worst(database.liveMs), 5_000, 'ms'),
    atMost('vendor polled again after kill -9 of the worker, slowest', worst(worked.takenUpMs), 5_000, 'ms'),
    atMost('vendor polled again after kill -9 of the database', worst(database.vendorMs), 20_000, 'ms'),
    atMost('job done after the last kill', jobMs, JOB_WITHIN_MS, 'ms'),
    atMost('every acknowledged mail sent or queued, after', mailMs, MAIL_WITHIN_MS, 'ms'),
    exactly('mails sent again under another id', mail.renamed, 0),
    atLeast('telemetry rows delivered by the vendor', telemetry.rows, 1),
    atLeast('responses of the vendor in the hands of a killed worker', worked.inHands, Math.ceil(rounds / 2)),
    exactly('telemetry rows lost', telemetry.lost, 0),
    exactly('telemetry batches not ingested in the end', telemetry.waiting, 0),
    exactly('2 min buckets with a wrong count', telemetry.wrongBuckets, 0),
  ]
}

export const crashes: Proof = {
  name: 'crashes',
  about:
    'Server, worker and database are killed with kill -9, the database is away and its disk is full while users write: nothing acknowledged or received is lost or doubled.',
  run: async (context) => {
    const killed = await killAll(context)
    await cleanUpAll()
    const outlasted = await outlastOutages(context)
    await cleanUpAll()
    return [...killed, ...outlasted, ...(await fillDisk(context))]
  },
}
