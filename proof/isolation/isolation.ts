import { everyCall, openAccessWalk } from '#server/testing/access-walk.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { startTestPostgres } from '#server/testing/postgres.ts'
import { startSeededTenants } from '#server/testing/seeded-tenants.ts'
import { onCleanup } from '../cleanup.ts'
import { atLeast, atMost, exactly, type Figure } from '../figure.ts'
import type { Proof, ProofContext } from '../proof.ts'
import { readBareTables } from './bare-tables.ts'
import { CONNECTIONS, startHammer } from './hammer.ts'
import { compareResponses } from './same-response.ts'
import { countRemovedFilters, UnfilteredClient } from './unfiltered-client.ts'
import { STEPS, walkAll } from './walk.ts'

const POOL = { max: 4 }
const MIN_RESPONSES = 500
const UNFILTERED_POOL = { ...POOL, Client: UnfilteredClient }

const SIZES = {
  // Every thirteenth step: 13 and the number of callers are coprime, so that every caller is used.
  short: { everyNthStep: 13, pauseMs: 300, readers: 20, timedRounds: 40, medianRatio: 2, chance: 0.65 },
  full: { everyNthStep: 1, pauseMs: 50, readers: 200, timedRounds: 400, medianRatio: 1.25, chance: 0.6 },
}

const openSeededTenants = async (socketDir: string, pool: object) => {
  const test = await createTestDatabase({ socketDir, pool })
  const seeded = await startSeededTenants(test)
  return { test, seeded, walk: await openAccessWalk(seeded), close: onCleanup(() => seeded.close()) }
}

type OpenTenants = Awaited<ReturnType<typeof openSeededTenants>>

const walkUnderLoad = async (seeded: OpenTenants, label: string, { form, log }: ProofContext): Promise<Figure[]> => {
  const { everyNthStep, pauseMs } = SIZES[form]
  const hammer = await startHammer(seeded.seeded, seeded.walk.origin, pauseMs)
  const walked = await walkAll(seeded.walk, everyNthStep, log)
  const struck = await hammer.stop(MIN_RESPONSES)
  struck.examples.forEach((example) => {
    log(example)
  })
  return [
    atLeast(
      `${label}: responses to ${CONNECTIONS} connections on a pool of ${POOL.max}`,
      struck.responses,
      MIN_RESPONSES,
    ),
    exactly(`${label}: responses that show another tenant’s value`, struck.leaks, 0),
    exactly(`${label}: responses that fail`, struck.failures, 0),
    atLeast(`${label}: steps of the access walk meanwhile`, walked.steps, STEPS / everyNthStep),
    exactly(`${label}: steps with a wrong response, a leak or a write`, walked.faults, 0),
  ]
}

/** Also disables row-level security. If the walk found no leak then, it could never find one. */
const countLeaksUnprotected = async (socketDir: string) => {
  const opened = await openSeededTenants(socketDir, UNFILTERED_POOL)
  const { seeded, walk, close } = opened
  await seeded.superuser.query(`do $$ declare name text; begin
    for name in select relname from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace loop
      execute format('alter table %I disable row level security', name);
    end loop; end $$`)
  let leaks = 0
  for (const [name, route] of everyCall.filter(([, { method, media }]) => method === 'GET' && !media))
    leaks += (await walk.findFaults(name, route, 'other tenant')).filter((fault) => fault.startsWith('shows')).length
  await close()
  return leaks
}

export const isolation: Proof = {
  name: 'isolation',
  about:
    'No user sees or changes anything of another tenant or group: under load, without the application’s tenant filters, and by response times.',
  run: async (context) => {
    const { form, log } = context
    const size = SIZES[form]
    const postgres = await startTestPostgres()
    onCleanup(postgres.stop)

    log('the access walk under load')
    const filtered = await openSeededTenants(postgres.socketDir, POOL)
    const underLoad = await walkUnderLoad(filtered, 'as built', context)

    log('response times of foreign and unknown ids')
    const compared = await compareResponses(filtered.seeded, filtered.walk.origin, size.timedRounds)
    for (const { name, ratio, chance, responses } of compared)
      log(
        `${name}: medians ${ratio.toFixed(2)} apart, distinguished ${chance.toFixed(2)}, ${responses[0]?.slice(0, 60)}`,
      )

    log('every table without a condition')
    const bare = await readBareTables(filtered.test, size.readers)
    await filtered.close()

    log('the access walk without the application’s tenant filters')
    const unfiltered = await openSeededTenants(postgres.socketDir, UNFILTERED_POOL)
    const byPolicyAlone = await walkUnderLoad(unfiltered, 'without tenant filters', context)
    const removed = countRemovedFilters()
    await unfiltered.close()
    const leaksUnprotected = await countLeaksUnprotected(postgres.socketDir)

    const chances = compared.map(({ chance }) => chance)
    return [
      ...underLoad,
      ...byPolicyAlone,
      atLeast('statements without their tenant filter', removed, 1000),
      atLeast('leaks found by the same walk without row-level security', leaksUnprotected, 5),
      atLeast(`tables read without a condition, ${bare.reads} times`, bare.tables, 45),
      exactly('rows of another tenant among them', bare.foreign, 0),
      exactly('tables that showed no row of the tenant itself', bare.missing, 0),
      exactly('rows shown to a connection without a tenant', bare.withoutTenant, 0),
      atLeast('calls compared for foreign and unknown ids', compared.length, 14),
      exactly(
        'calls with different responses for the two',
        compared.filter(({ responses }) => responses.length > 1).length,
        0,
      ),
      {
        timed: true,
        ...atMost(
          'ratio of the median times of foreign and unknown ids, worst call',
          Math.max(...compared.map(({ ratio }) => ratio)),
          size.medianRatio,
        ),
      },
      {
        timed: true,
        ...atMost(
          'probability of telling foreign from unknown ids by one response time',
          chances.reduce((sum, chance) => sum + chance, 0) / chances.length,
          size.chance,
        ),
      },
    ]
  },
}
