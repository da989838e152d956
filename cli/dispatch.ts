import { ApiError } from '#contract/errors.ts'
import { BackupError } from '#server/backup/backup-error.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { ConfigError } from '#server/process/config.ts'
import { apiCommand } from './api.ts'
import { auditExport } from './audit-export.ts'
import { auditVerify } from './audit-verify.ts'
import { backup } from './backup.ts'
import { type Command, type CommandContext, CommandError, UsageError } from './command.ts'
import { distributeCommand } from './distribute.ts'
import { doctor } from './doctor.ts'
import { commandHelp, overallHelp } from './help.ts'
import { incidentsRehearse } from './incidents-rehearse.ts'
import { migrateCommand } from './migrate.ts'
import { readOptions } from './read-options.ts'
import { restore } from './restore.ts'
import { rotateKey } from './rotate-key.ts'
import { ssoDisable, ssoRules, ssoSet, ssoShow, ssoTest } from './sso.ts'
import { status } from './status.ts'
import { tenantConfigure } from './tenant-configure.ts'
import { tenantCreate } from './tenant-create.ts'
import { tenantSettings } from './tenant-settings.ts'
import { tenantSmsBudget } from './tenant-sms-budget.ts'
import { tokenCreate } from './token-create.ts'
import { tokenList } from './token-list.ts'
import { tokenRevoke } from './token-revoke.ts'
import { userCreate } from './user-create.ts'
import { userErase } from './user-erase.ts'
import { userResetFactors } from './user-reset-factors.ts'
import { vendorConnect } from './vendor-connect.ts'
import { vendorSnowMelt } from './vendor-snow-melt.ts'

const commands = [
  tenantCreate,
  tenantConfigure,
  tenantSettings,
  tenantSmsBudget,
  userCreate,
  userErase,
  userResetFactors,
  tokenCreate,
  tokenList,
  tokenRevoke,
  ssoShow,
  ssoSet,
  ssoRules,
  ssoTest,
  ssoDisable,
  apiCommand,
  vendorConnect,
  vendorSnowMelt,
  auditVerify,
  auditExport,
  incidentsRehearse,
  migrateCommand,
  distributeCommand,
  backup,
  restore,
  rotateKey,
  doctor,
  status,
]

const isHelp = (word: string | undefined) => word === '--help' || word === '-h' || word === 'help'

const findCommand = (args: string[]) => {
  const matches = ({ name }: Command) => name.split(' ').every((word, at) => args[at] === word)
  const command = commands.find(matches)
  if (command) return { command, rest: args.slice(command.name.split(' ').length) }
  const words = args.filter((arg) => !arg.startsWith('-')).join(' ')
  const near = commands.filter(({ name }) => name.split(' ')[0] === args[0]).map(({ name }) => name)
  const hint = near.length > 0 ? `Did you mean '${near.join("' or '")}'?` : 'Try --help'
  throw new UsageError(args.length === 0 ? 'no command given. Try --help' : `there is no command '${words}'. ${hint}`)
}

const runCommand = async (args: string[], context: CommandContext) => {
  if (isHelp(args[0])) {
    context.print(overallHelp(commands))
    return 0
  }
  const { command, rest } = findCommand(args)
  const given = await readOptions(command, rest, context.readInput).catch((error) => {
    if (error instanceof UsageError) error.message = `${command.name}: ${error.message}`
    throw error
  })
  if (!given.help) return command.run(given.values as never, context)
  context.print(commandHelp(command))
  return 0
}

/** One line for any error: an operator has no use for a stack trace. */
const describeError = (error: unknown) => {
  if (error instanceof UsageError) return error.message
  if (error instanceof ConfigError) return `the configuration is invalid: ${error.message.split('\n').join('; ')}`
  const known = [CommandError, StartupError, BackupError, ApiError].some((kind) => error instanceof kind)
  const { message, code } = error as NodeJS.ErrnoException
  return known ? message : `unexpected error: ${message || code || error}`
}

/** Runs the command that the arguments name and returns its exit code. */
export const dispatch = async (args: string[], context: CommandContext) => {
  try {
    return await runCommand(args, context)
  } catch (error) {
    context.printError(`dishboard: ${describeError(error).replace(/\s*\n\s*/g, ' ')}`)
    return error instanceof UsageError ? 2 : 1
  }
}
