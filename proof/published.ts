import { type Figure, formatValue } from './figure.ts'
import type { Proof } from './proof.ts'
import type { RunRecord } from './run-record.ts'

const cell = (text: string) => text.replaceAll('|', '\\|')

const row = ({ name, value, unit, limit, pass }: Figure) =>
  `| ${cell(name)} | ${cell(formatValue(value))}${unit ? ` ${unit}` : ''} | ${cell(limit)} | ${pass ? 'PASS' : 'FAIL'} |`

const describeRun = ({ name, form, date, seconds, stolenPercent, machine }: RunRecord) => {
  const command = `npm run proof -- ${name}${form === 'short' ? ' --short' : ''}`
  const day = `${date.slice(0, 16).replace('T', ' ')} UTC`
  const kind = form === 'full' ? 'Full form' : 'Short form: no full run is at hand'
  return [
    `\`${command}\``,
    `${kind}; ${day}, ${seconds} s; ${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB, ` +
      `Node ${machine.node}, PostgreSQL ${machine.postgres}.`,
    ...(stolenPercent === undefined ? [] : [`Other machines took ${stolenPercent} % of what it wanted of the cores.`]),
  ].join(' ')
}

const section = ({ name, about }: Proof, record: RunRecord | undefined) => {
  const head = [`## ${name}`, '', about, '']
  if (!record) return [...head, 'Not run yet.'].join('\n')
  const table = ['| figure | value | limit | |', '|---|---|---|---|', ...record.figures.map(row)]
  return [...head, describeRun(record), '', ...table].join('\n')
}

const INTRODUCTION = `# Proof

The promises of the product, tested as an attacker, a bad network and a bad day would. \`npm run proof\` lists the proofs;
each runs on a stack of its own and ends with 1 when a figure misses its limit. The short forms run in \`npm run test:full\`,
where times decide nothing. This
page is written by \`npm run proof -- publish\` from what the runs left behind.`

/** The page of figures, with the date, the machine and the command of each run beside them. */
export const publishedPage = (proofs: { proof: Proof; record: RunRecord | undefined }[]) =>
  `${[INTRODUCTION, ...proofs.map(({ proof, record }) => section(proof, record))].join('\n\n')}\n`
