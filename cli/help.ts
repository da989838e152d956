import type { Command } from './command.ts'

const PROGRAM = 'npm run dishboard --'

const columns = (rows: [string, string][]) => {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n')
}

export const overallHelp = (commands: Command[]) => `Usage: ${PROGRAM} COMMAND [OPTIONS]

${columns(commands.map(({ name, summary }) => [name, summary]))}

Run ${PROGRAM} COMMAND --help for the options of a command.
Settings such as DATABASE_URL come from the environment, as for the server.
Exit codes: 0 success, 1 failure, 2 wrong usage.`

export const commandHelp = ({ name, summary, options, operand }: Command) => {
  const formatFlag = (option: string, value: string) => (option === operand ? value : `--${option} ${value}`.trimEnd())
  const rows = Object.entries(options).map(([option, { value, help, isSecret }]): [string, string] => [
    formatFlag(option, value),
    isSecret ? `${help} (use - to read it from standard input)` : help,
  ])
  const usage = Object.entries(options).map(([option, { value, isOptional }]) =>
    isOptional ? ` [${formatFlag(option, value)}]` : ` ${formatFlag(option, value)}`,
  )
  return `${summary}.

Usage: ${PROGRAM} ${name}${usage.join('')}

${columns([...rows, ['--help', 'show this text']])}`
}
