import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { msUntil } from '../multi-process/client.ts'
import { type CitusCluster, type Node, runOnce } from './cluster.ts'

const isAnswering = ({ connect }: CitusCluster, node: Node) =>
  runOnce(connect(node, 'postgres'), 'select 1').then(
    () => true,
    () => false,
  )

/** A worker that can be killed and restarted; undefined if it is on another machine. */
export const findWorkerProcess = async (cluster: CitusCluster, node: Node) => {
  const [found] = await runOnce<{ pid: string; folder: string; programs: string }>(
    cluster.connect(node, 'postgres'),
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid, current_setting('data_directory') as folder,
       (select setting from pg_config where name = 'BINDIR') as programs`,
  )
  if (!found || !existsSync(join(found.folder, 'postmaster.pid'))) return undefined
  const { folder, programs } = found
  const { uid, gid } = statSync(folder)
  const asOwner = process.getuid?.() === 0 ? { uid, gid } : {}
  const until = async (isAsExpected: () => Promise<boolean>) => {
    if (Number.isNaN(await msUntil(isAsExpected))) throw new Error('The worker did not follow.')
  }
  return {
    kill: async () => {
      process.kill(Number(found.pid), 'SIGKILL')
      await until(async () => !(await isAnswering(cluster, node)))
    },
    start: async () => {
      const options = ['-D', folder, '-s', '-w', '-l', `${folder}.log`, '-o', `-p ${node.port}`, 'start']
      // Not our environment, by which the cleanup of a run finds and ends its processes.
      const env = { PATH: process.env.PATH, HOME: folder }
      const tryStart = () => {
        try {
          execFileSync(join(programs, 'pg_ctl'), options, { cwd: '/', env, stdio: 'ignore', ...asOwner })
        } catch {
          // The killed process may still be listed.
        }
      }
      await until(async () => {
        tryStart()
        return isAnswering(cluster, node)
      })
    },
  }
}
