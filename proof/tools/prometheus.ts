import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '#server/testing/find-free-port.ts'
import { startTool } from './start-tool.ts'

interface Options {
  program: string
  /** For its files. */
  folder: string
  config: string
}

/** A real Prometheus on a free port. */
export const startPrometheus = async ({ program, folder, config }: Options) => {
  mkdirSync(folder, { recursive: true })
  const port = await findFreePort()
  const file = join(folder, 'prometheus.yml')
  writeFileSync(file, config)
  const address = `--web.listen-address=127.0.0.1:${port}`
  const log = startTool(
    program,
    [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'data')}`, address],
    folder,
  )
  return {
    /** The value of a query with a single result; undefined if there is none, or while Prometheus starts. */
    query: async (text: string): Promise<number | undefined> => {
      const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(text)}`
      const response = await fetch(url).catch(() => undefined)
      if (!response?.ok) return undefined
      const { data } = (await response.json()) as { data: { result: { value: [number, string] }[] } }
      const value = data.result[0]?.value[1]
      return value === undefined ? undefined : Number(value)
    },
    readLog: () => readFileSync(log, 'utf8'),
  }
}
