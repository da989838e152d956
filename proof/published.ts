import { writeAttackTable } from './attacks.ts'
import { type Figure, formatValue } from './figure.ts'
import { writeHardeningTable } from './hardening-table.ts'
import type { Proof } from './proof.ts'
import type { RunRecord } from './run-record.ts'
import type { TestRecord } from './test-record.ts'

const cell = (text: string) => text.replaceAll('|', '\\|')

const row = ({ name, value, unit, limit, pass }: Figure) =>
  `| ${cell(name)} | ${cell(formatValue(value))}${unit ? ` ${unit}` : ''} | ${cell(limit)} | ${pass ? 'PASS' : 'FAIL'} |`

const describeRun = ({ name, date, seconds, stolenPercent, machine }: RunRecord) => {
  const day = `${date.slice(0, 16).replace('T', ' ')} UTC`
  return [
    `\`npm run proof -- ${name}\``,
    `${day}, ${seconds} s; ${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB, ` +
      `Node ${machine.node}, PostgreSQL ${machine.postgres}.`,
    ...(stolenPercent === undefined ? [] : [`Steal time ${stolenPercent} %.`]),
  ].join(' ')
}

const section = ({ name, about }: Proof, record: RunRecord | undefined) => {
  const head = [`## ${name}`, '', about, '']
  if (!record) return [...head, 'Not run yet.'].join('\n')
  const table = ['| figure | value | limit | |', '|---|---|---|---|', ...record.figures.map(row)]
  return [...head, describeRun(record), '', ...table].join('\n')
}

const INTRODUCTION = `# Proof

Tests of the product's promises under attack, on bad networks and during failures. \`npm run proof\` lists the proofs. Each
runs on a separate stack and exits with 1 if a figure misses its limit. The short forms run in \`npm run test:full\`, where
times decide nothing. \`npm run proof -- publish\` writes this page from the records of the full runs in \`proof/records/\`.`

/** Builds the page of figures, with date, machine and command of each run. */
export const writePublishedPage = (
  proofs: { proof: Proof; record: RunRecord | undefined }[],
  testRecord: TestRecord | undefined,
) => {
  const records = proofs.flatMap(({ record }) => record ?? [])
  const sections = proofs.map(({ proof, record }) => section(proof, record))
  return `${[INTRODUCTION, writeHardeningTable(records, testRecord), writeAttackTable(), ...sections].join('\n\n')}\n`
}
