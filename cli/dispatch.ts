import { ApiError } from '#contract/errors.ts'
import { BackupProblem } from '#server/backup/backup-problem.ts'
import { StartupError } from '#server/platform/startup-error.ts'
import { ConfigError } from '#server/process/config.ts'
import { auditVerify } from './audit-verify.ts'
import { backup } from './backup.ts'
import { type Command, CommandProblem, type Surroundings, UsageProblem } from './command.ts'
import { doctor } from './doctor.ts'
import { commandHelp, overallHelp } from './help.ts'
import { migrateCommand } from './migrate.ts'
import { readOptions } from './read-options.ts'
import { restore } from './restore.ts'
import { tenantConfigure } from './tenant-configure.ts'
import { tenantCreate } from './tenant-create.ts'
import { userCreate } from './user-create.ts'
import { vendorConnect } from './vendor-connect.ts'
import { vendorSnowMelt } from './vendor-snow-melt.ts'

const commands = [
  tenantCreate,
  tenantConfigure,
  userCreate,
  vendorConnect,
  vendorSnowMelt,
  auditVerify,
  migrateCommand,
  backup,
  restore,
  doctor,
]

const isHelp = (word: string | undefined) => word === '--help' || word === '-h' || word === 'help'

const findCommand = (args: string[]) => {
  const fits = ({ name }: Command) => name.split(' ').every((word, at) => args[at] === word)
  const command = commands.find(fits)
  if (command) return { command, rest: args.slice(command.name.split(' ').length) }
  const words = args.filter((arg) => !arg.startsWith('-')).join(' ')
  const near = commands.filter(({ name }) => name.split(' ')[0] === args[0]).map(({ name }) => name)
  const hint = near.length > 0 ? `Is it '${near.join("' or '")}'?` : 'Try --help'
  throw new UsageProblem(args.length === 0 ? 'no command given. Try --help' : `there is no command '${words}'. ${hint}`)
}

const runCommand = async (args: string[], surroundings: Surroundings) => {
  if (isHelp(args[0])) {
    surroundings.print(overallHelp(commands))
    return 0
  }
  const { command, rest } = findCommand(args)
  const given = await readOptions(command, rest).catch((error) => {
    if (error instanceof UsageProblem) error.message = `${command.name}: ${error.message}`
    throw error
  })
  if (!given.help) return command.run(given.values as never, surroundings)
  surroundings.print(commandHelp(command))
  return 0
}

/** One line, whatever it was: a stack tells an operator nothing. */
const explain = (error: unknown) => {
  if (error instanceof UsageProblem) return error.message
  if (error instanceof ConfigError) return `the configuration has faults: ${error.message.split('\n').join('; ')}`
  const known = [CommandProblem, StartupError, BackupProblem, ApiError].some((kind) => error instanceof kind)
  const { message, code } = error as NodeJS.ErrnoException
  return known ? message : `this failed unexpectedly: ${message || code || error}`
}

/** Runs the command these words name; the answer is the exit code. */
export const dispatch = async (args: string[], surroundings: Surroundings) => {
  try {
    return await runCommand(args, surroundings)
  } catch (error) {
    console.error(`dishboard: ${explain(error).replace(/\s*\n\s*/g, ' ')}`)
    return error instanceof UsageProblem ? 2 : 1
  }
}
