import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { dispatch } from '../dispatch.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface Outcome {
  code: number | null
  out: string
  err: string
}

/** Runs the command line in this process, with only the given environment. */
export const runDishboard = async (
  args: string[],
  environment: NodeJS.ProcessEnv = {},
  input = '',
): Promise<Outcome> => {
  const printed = { out: '', err: '' }
  const code = await dispatch(args, {
    environment,
    print: (line) => {
      printed.out += `${line}\n`
    },
    printError: (line) => {
      printed.err += `${line}\n`
    },
    readInput: async () => input,
  })
  return { code, ...printed }
}

/** Runs the command line like an operator: in a separate process, with only the given environment. */
export const spawnDishboard = async (
  args: string[],
  environment: NodeJS.ProcessEnv = {},
  input = '',
): Promise<Outcome> => {
  const child = spawn(process.execPath, [main, ...args], { env: { PATH: process.env.PATH, ...environment } })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, out, err }
}

const formatUrl = ({ host, user, database }: pg.PoolConfig) =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host as string)}`

interface Place {
  runtime: pg.PoolConfig
  owner: pg.PoolConfig
  dataDir: string
}

export const buildEnvironment = ({ runtime, owner, dataDir }: Place) => ({
  DATABASE_URL: formatUrl(runtime),
  DATABASE_OWNER_URL: formatUrl(owner),
  DATA_DIR: dataDir,
  SECRET_KEY: 'only-for-tests-only-for-tests-only-for-tests',
})
