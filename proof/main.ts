import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openRunFolder } from '#server/testing/run-folder.ts'
import { cleanUpAll } from './cleanup.ts'
import { watchCores } from './cores.ts'
import { type Figure, formatValue, judge } from './figure.ts'
import { hardeningTests } from './hardening.ts'
import type { Form, Proof } from './proof.ts'
import { proofs } from './proofs.ts'
import { writePublishedPage } from './published.ts'
import { findFullRun, removeRecord, writeRecord } from './run-record.ts'
import { findTestRecord, runTests } from './test-record.ts'

const PAGE = 'docs/proof.md'

const HELP = `npm run proof -- NAME … [--short]   one or more of the proofs below
npm run proof -- all [--short]       all of them, one after the other
npm run proof -- tests               runs the tests that the table of hardening counts
npm run proof -- publish             writes ${PAGE} from the records of the full runs and the tests

${proofs.map(({ name, about }) => `  ${name.padEnd(11)} ${about}`).join('\n')}`

const fail = (message: string): never => {
  console.error(message)
  process.exit(2)
}

const readArguments = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { short: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    })
  } catch (error) {
    return fail(`proof: ${(error as Error).message.split('\n')[0]} (see --help)`)
  }
}

const findProof = (name: string): Proof =>
  proofs.find((proof) => proof.name === name) ?? fail(`proof: there is no '${name}' (see --help)`)

const printFigure = ({ name, value, unit, limit, pass }: Figure) =>
  console.log(
    `${name.padEnd(66)} ${`${formatValue(value)}${unit ? ` ${unit}` : ''}`.padStart(14)}   ${limit.padEnd(20)} ${pass ? 'PASS' : 'FAIL'}`,
  )

let isEnding = false

const runProof = async (proof: Proof, form: Form) => {
  const startedAt = new Date()
  const coresMeanwhile = watchCores()
  const log = (message: string) => console.error(`  ${proof.name}: ${message}`)
  console.log(`\n${proof.name} (${form}): ${proof.about}`)
  try {
    const measured = await proof.run({ form, log })
    if (!measured) {
      console.log(`${proof.name} not counted`)
      return true
    }
    const figures = measured.map((figure) => judge(form, figure))
    figures.forEach(printFigure)
    const stolenPercent = coresMeanwhile()?.stolen
    if (stolenPercent) log(`${stolenPercent} % steal time: processor time that went to other machines`)
    writeRecord(proof, form, { startedAt, stolenPercent, figures })
    return figures.length > 0 && figures.every(({ pass }) => pass)
  } catch (error) {
    console.error(error)
    console.log(`${proof.name} FAIL`)
    return false
  } finally {
    isEnding = true
    await cleanUpAll()
    isEnding = false
  }
}

// An unhandled error must not leave a stack running.
process.on('uncaughtException', async (error) => {
  console.error(error)
  if (isEnding) return
  isEnding = true
  await cleanUpAll()
  process.exit(1)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    isEnding = true
    await cleanUpAll()
    process.exit(130)
  })
}

const { values, positionals } = readArguments()
const isNamed = positionals.length > 0 && !values.help
if (!isNamed) {
  console.log(HELP)
} else if (positionals[0] === 'tests') {
  process.exit(runTests(hardeningTests) ? 0 : 1)
} else if (positionals[0] === 'publish') {
  writeFileSync(
    PAGE,
    writePublishedPage(
      proofs.map((proof) => ({ proof, record: findFullRun(proof.name) })),
      findTestRecord(),
    ),
  )
} else {
  openRunFolder()
  const form = values.short ? 'short' : 'full'
  const wanted = positionals[0] === 'all' ? proofs : positionals.map(findProof)
  for (const { name } of wanted) removeRecord(name, form)
  let held = true
  for (const proof of wanted) held = (await runProof(proof, form)) && held
  process.exit(held ? 0 : 1)
}
