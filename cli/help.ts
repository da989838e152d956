import type { Command } from './command.ts'

const PROGRAM = 'npm run dishboard --'

const columns = (rows: [string, string][]) => {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n')
}

export const overallHelp = (commands: Command[]) => `Usage: ${PROGRAM} COMMAND [OPTIONS]

${columns(commands.map(({ name, summary }) => [name, summary]))}

${PROGRAM} COMMAND --help tells the options of a command.
Settings (DATABASE_URL, …) are read from the environment, as the server reads them.
Exit codes: 0 done, 1 it could not be done, 2 the command was not understood.`

export const commandHelp = ({ name, summary, options, operand }: Command) => {
  const formatFlag = (option: string, value: string) => (option === operand ? value : `--${option} ${value}`)
  const rows = Object.entries(options).map(([option, { value, help, isSecret }]): [string, string] => [
    formatFlag(option, value),
    isSecret ? `${help} (- reads it from standard input)` : help,
  ])
  const usage = Object.entries(options).map(([option, { value, isOptional }]) =>
    isOptional ? ` [${formatFlag(option, value)}]` : ` ${formatFlag(option, value)}`,
  )
  return `${summary}.

Usage: ${PROGRAM} ${name}${usage.join('')}

${columns([...rows, ['--help', 'this text']])}`
}
