import { type Figure, formatValue } from './figure.ts'
import { type Hardening, hardening } from './hardening.ts'
import type { RunRecord } from './run-record.ts'
import type { TestRecord } from './test-record.ts'

interface Cells {
  often: string
  outcome: string
}

const NOT_RUN: Cells = { often: 'not run yet', outcome: '-' }

const describeFigure = ({ name, value, unit, pass }: Figure) =>
  `${name}: ${formatValue(value)}${unit ? ` ${unit}` : ''}${pass ? '' : ' FAIL'}`

const readProof = (
  { attempts, results }: NonNullable<Hardening['proofs']>[number],
  record: RunRecord | undefined,
): Cells => {
  if (!record) return NOT_RUN
  const find = (part: string) => record.figures.filter(({ name }) => name.includes(part))
  const shown = results.flatMap(find).map(describeFigure)
  const often = find(attempts).map(describeFigure).slice(0, 1).join('')
  return { often: `${often} (\`${record.name}\`)`, outcome: shown.join('; ') }
}

const readTests = (files: readonly string[], record: TestRecord | undefined): Cells => {
  const counts = files.map((file) => record?.files[file])
  if (counts.some((count) => count === undefined)) return { ...NOT_RUN, often: 'tests not run yet' }
  const sum = (kind: 'passed' | 'failed') => counts.reduce((total, count) => total + (count?.[kind] ?? 0), 0)
  return { often: `${sum('passed') + sum('failed')} tests`, outcome: `tests failed: ${sum('failed')}` }
}

const escapeCell = (text: string) => text.replaceAll('|', '\\|')

const writeRow = (
  { what, tried, proofs = [], tests, elsewhere }: Hardening,
  at: number,
  records: Map<string, RunRecord>,
  testRecord: TestRecord | undefined,
) => {
  const cells = [
    ...proofs.map((evidence) => readProof(evidence, records.get(evidence.proof))),
    ...(tests ? [readTests(tests, testRecord)] : []),
    ...(elsewhere ? [{ often: '-', outcome: elsewhere }] : []),
  ]
  const join = (name: keyof Cells) => cells.map((cell) => cell[name]).join('<br>')
  return `| ${[String(at + 1), what, tried, join('often'), join('outcome')].map(escapeCell).join(' | ')} |`
}

/** A table of what each attack tried, how often, and with which result. */
export const writeHardeningTable = (records: readonly RunRecord[], testRecord: TestRecord | undefined) => {
  const byName = new Map(records.map((record) => [record.name, record]))
  const day = testRecord ? ` The tests ran on ${testRecord.date.slice(0, 10)}.` : ''
  return [
    '## Hardening',
    '',
    `What an attack on a running instance found, and what is tried against it since: by proofs, and by tests that \`npm run proof -- tests\` counts.${day}`,
    '',
    '| | what | tried | how often | figure |',
    '|---|---|---|---|---|',
    ...hardening.map((row, at) => writeRow(row, at, byName, testRecord)),
  ].join('\n')
}
