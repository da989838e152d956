import { existsSync } from 'node:fs'
import { access, constants, opendir, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { formatDecimal } from '#contract/format/numbers.ts'
import type { Config } from '#server/platform/config.ts'
import { ConfigError, listSecretFiles, readConfig } from '#server/process/config.ts'
import { openInstallation } from '#server/process/installation.ts'
import { defineCommand } from './command.ts'
import { checkDatabase } from './doctor/database.ts'
import { type Finding, fail, formatFinding, ok, warn } from './doctor/finding.ts'
import { checkMail } from './doctor/mail.ts'
import { checkSecrets } from './doctor/secrets.ts'
import { checkVendor } from './doctor/vendor.ts'

/** The configuration, or every fault in it. */
const checkConfiguration = (environment: NodeJS.ProcessEnv): { config: Config | undefined; findings: Finding[] } => {
  try {
    const config = readConfig(environment)
    const database = config.databaseUrl === undefined ? `the embedded database in ${config.dataDir}` : 'DATABASE_URL'
    const mode = config.demo ? 'the demo' : 'production'
    const files = listSecretFiles(environment)
    const fromFiles = files.length > 0 ? `; from files: ${files.join(', ')}` : ''
    return {
      config,
      findings: [ok('configuration', `all settings are valid; running ${mode} with ${database}${fromFiles}`)],
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const fix = 'correct it in the environment; the README lists every setting'
    return { config: undefined, findings: error.message.split('\n').map((fault) => fail('configuration', fault, fix)) }
  }
}

const GB = 1024 ** 3
const ENOUGH_GB = 2
const BARELY_GB = 0.3

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)))

const findUnusable = async (folder: string) => {
  try {
    await (await opendir(folder)).close()
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR') return 'is not a folder'
    return code === 'EROFS' ? 'is on a read-only disk' : `cannot be read and written by this user (${code})`
  }
}

const checkDisk = async (dataDir: string): Promise<Finding> => {
  const folder = nearestExisting(resolve(dataDir))
  const unusable = await findUnusable(folder)
  if (unusable)
    return fail(
      'disk',
      `${folder} ${unusable}`,
      'give the folder to this user with chown, or set DATA_DIR to another one',
    )
  const { bavail, bsize } = await statfs(folder)
  const freeGb = (bavail * bsize) / GB
  const fact = `${formatDecimal(freeGb, 1)} GB free on the disk that holds ${folder}`
  const fix = 'free some space, or set DATA_DIR to a folder on a larger disk'
  if (freeGb >= ENOUGH_GB) return ok('disk', fact)
  return freeGb >= BARELY_GB ? warn('disk', fact, fix) : fail('disk', fact, fix)
}

/** Opening an installation applies migrations, so this runs only when none are pending. */
const openAndCheck = async (config: Config): Promise<Finding[]> => {
  const installation = await openInstallation(config, { shared: true })
  try {
    return [...(await checkSecrets(installation)), ...(await checkVendor(installation))]
  } finally {
    await installation.close()
  }
}

const runChecks = async (environment: NodeJS.ProcessEnv, report: (findings: Finding[]) => void) => {
  const { config, findings } = checkConfiguration(environment)
  report(findings)
  if (!config) return
  const database = await checkDatabase(config)
  report(database)
  const isWhole = database.every(({ level, name }) => level === 'ok' || name === 'clock')
  report(isWhole ? await openAndCheck(config) : [warn('vendor', 'not checked', 'resolve the database problem first')])
  report([await checkMail(config), await checkDisk(config.dataDir)])
}

export const doctor = defineCommand({
  name: 'doctor',
  summary:
    'Check configuration, database, encrypted values, vendor, mail, disk and clock, and report how to fix what is wrong',
  options: {},
  run: async (_, { environment, print }) => {
    let failed = false
    await runChecks(environment, (findings) => {
      for (const finding of findings) print(formatFinding(finding))
      failed ||= findings.some(({ level }) => level === 'FAIL')
    })
    return failed ? 1 : 0
  },
})
