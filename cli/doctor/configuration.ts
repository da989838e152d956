import type { Config } from '#server/platform/config.ts'
import { ConfigError, readConfig } from '#server/process/config.ts'
import { type Finding, fail, ok } from './finding.ts'

/** The configuration, or every fault in it. */
export const checkConfiguration = (
  environment: NodeJS.ProcessEnv,
): { config: Config | undefined; findings: Finding[] } => {
  try {
    const config = readConfig(environment)
    const database = config.databaseUrl === undefined ? `the embedded database in ${config.dataDir}` : 'DATABASE_URL'
    const mode = config.demo ? 'the demo' : 'production'
    return { config, findings: [ok('configuration', `all settings are valid; ${mode} on ${database}`)] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const mend = 'correct it in the environment; the README lists every setting'
    return { config: undefined, findings: error.message.split('\n').map((fault) => fail('configuration', fault, mend)) }
  }
}
