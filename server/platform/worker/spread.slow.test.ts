import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { setupWorkers, until } from './testing/setup-workers.ts'

const { getDatabase, query, request } = setupWorkers()
const script = fileURLToPath(new URL('./testing/worker-process.ts', import.meta.url))

const children: ChildProcess[] = []
const startProcess = () => {
  const child = fork(script, [JSON.stringify({ connection: getDatabase().runtime, isSpread: true })])
  children.push(child)
  return child
}
const kill = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
afterAll(async () => {
  for (const child of children) await kill(child)
})

/** The number of jobs of each process; unclaimed jobs have owner 0. */
const readCounts = async () => {
  const { rows } = await query(
    `select coalesce(leased_by, 0) as owner, count(*)::int as count from jobs
     where queue = 'vendor-feeds' group by 1 order by 2`,
  )
  return rows.map(({ owner, count }: { owner: number; count: number }) => (owner === 0 ? `unclaimed ${count}` : count))
}

test('processes share the jobs evenly, and share them anew when one comes or goes', async () => {
  for (let subject = 1; subject <= 10; subject++)
    await request('vendor-feeds', subject % 2 === 0 ? 'a' : 'b', { subject: String(subject) })
  const first = startProcess()
  await until(readCounts).toEqual([10])
  startProcess()
  await until(readCounts).toEqual([5, 5])
  startProcess()
  await until(readCounts).toEqual([3, 3, 4])
  await kill(first)
  await until(readCounts).toEqual([5, 5])
  await request('vendor-feeds', 'a', { subject: '11' })
  await until(readCounts).toEqual([5, 6])
  startProcess()
  await until(readCounts).toEqual([3, 4, 4])
  expect(children).toHaveLength(4)
})
