import type { Config } from '#server/platform/config.ts'
import { openInstallation } from '#server/process/installation.ts'
import { defineCommand } from './command.ts'
import { checkConfiguration } from './doctor/configuration.ts'
import { checkDatabase } from './doctor/database.ts'
import { type Finding, formatFinding, warn } from './doctor/finding.ts'
import { checkDisk } from './doctor/machine.ts'
import { checkMail } from './doctor/mail.ts'
import { checkVendor } from './doctor/vendor.ts'

/** Opening an installation migrates it, so this is for one that has nothing left to migrate. */
const openAndCheckVendor = async (config: Config): Promise<Finding[]> => {
  const installation = await openInstallation(config, { shared: true })
  try {
    return await checkVendor(installation)
  } finally {
    await installation.close()
  }
}

const examine = async (environment: NodeJS.ProcessEnv, report: (findings: Finding[]) => void) => {
  const { config, findings } = checkConfiguration(environment)
  report(findings)
  if (!config) return
  const database = await checkDatabase(config)
  report(database)
  const isWhole = database.every(({ level, name }) => level === 'ok' || name === 'clock')
  report(isWhole ? await openAndCheckVendor(config) : [warn('vendor', 'not checked', 'see to the database first')])
  report([await checkMail(config), await checkDisk(config.dataDir)])
}

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Check configuration, database, vendor, mail, disk and clock, and say what to mend',
  options: {},
  run: async (_, { environment, print }) => {
    let failed = false
    await examine(environment, (findings) => {
      for (const finding of findings) print(formatFinding(finding))
      failed ||= findings.some(({ level }) => level === 'FAIL')
    })
    return failed ? 1 : 0
  },
})
