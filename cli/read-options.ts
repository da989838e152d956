import { parseArgs } from 'node:util'
import { type Command, type CommandContext, type Option, UsageError } from './command.ts'

type Given = { help: true } | { help: false; values: Record<string, unknown> }

const flags = (names: string[]) => names.map((name) => `--${name}`).join(', ')

const parse = (command: Command, args: string[]) => {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { isFlag }]) => [
      name,
      { type: isFlag ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  )
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: command.operand !== undefined,
    })
    const given = values as Record<string, (string | boolean)[] | undefined> & { help?: boolean }
    if (command.operand && positionals.length > 0)
      given[command.operand] = [...(given[command.operand] ?? []), ...positionals]
    return given
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/\.? (To specify|Did you).*/s, '').replace(/\n/g, ' '))
  }
}

/** Parses a command's options and reports all problems at once. */
export const readOptions = async (
  command: Command,
  args: string[],
  readInput: CommandContext['readInput'],
): Promise<Given> => {
  const { help, ...given } = parse(command, args)
  if (help) return { help: true }
  const isMissing = ([name, { isOptional }]: [string, Option]) => !isOptional && given[name] === undefined
  const missing = Object.entries(command.options)
    .filter(isMissing)
    .map(([name]) => name)
  const repeated = Object.keys(given).filter((name) => (given[name]?.length ?? 0) > 1)
  const faults = [
    ...(missing.length > 0 ? [`missing ${flags(missing)}`] : []),
    ...(repeated.length > 0 ? [`given more than once: ${flags(repeated)}`] : []),
  ]
  const fromInput = Object.keys(given).filter((name) => command.options[name]?.isSecret && given[name]?.[0] === '-')
  if (fromInput.length > 1) faults.push(`only one of ${flags(fromInput)} can be read from standard input`)
  const values: Record<string, unknown> = {}
  for (const [name, { schema }] of Object.entries(command.options)) {
    const [first] = given[name] ?? []
    if (first === undefined) continue
    const value = fromInput[0] === name ? (await readInput(`--${name}`)).replace(/\r?\n$/, '') : String(first)
    const parsed = schema.safeParse(value)
    if (parsed.success) values[name] = parsed.data
    else faults.push(`--${name}: ${parsed.error.issues[0]?.message}`)
  }
  if (faults.length > 0) throw new UsageError(faults.map((fault) => fault.replace(/\.$/, '')).join('; '))
  return { help: false, values }
}
