import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { openRunFolder } from '#server/testing/run-folder.ts'
import { backupFigures } from './backup.ts'
import { browserFigures } from './browser/browser.ts'
import { bytesFigures } from './browser/bytes.ts'
import { slowLinkFigures } from './browser/slow-link.ts'
import { wallFigures } from './browser/wall.ts'
import { chartFigures } from './charts.ts'
import { detailFigures } from './detail.ts'
import { diskFigures } from './disk.ts'
import { eventFigures } from './events.ts'
import { executiveFigures } from './executive.ts'
import { type Bench, type Figure, printFigures } from './figures.ts'
import { fleetFigures } from './fleet.ts'
import { forecastFigures } from './forecast.ts'
import { idleFigures } from './idle.ts'
import { ingestFigures } from './ingest.ts'
import { inventoryFigures } from './inventory.ts'
import { memoryFigures } from './memory.ts'
import { reportFigures } from './reports.ts'
import { rollupFigures } from './rollup.ts'
import { startFigures } from './start.ts'
import { warningFigures } from './warnings.ts'

/** `start` installs a clone, and `detail` and `rollup` fill a store once. They take minutes and run only if named. */
const benches: Record<string, Bench> = {
  backup: backupFigures,
  charts: chartFigures,
  browser: browserFigures,
  detail: detailFigures,
  disk: diskFigures,
  bytes: bytesFigures,
  events: eventFigures,
  executive: executiveFigures,
  fleet: fleetFigures,
  forecast: forecastFigures,
  idle: idleFigures,
  ingest: ingestFigures,
  inventory: inventoryFigures,
  memory: (sizes) => memoryFigures(sizes, process.env),
  reports: reportFigures,
  rollup: rollupFigures,
  'slow-link': slowLinkFigures,
  start: () => startFigures(process.env),
  wall: wallFigures,
  warnings: warningFigures,
}
const defaultNames = ['charts', 'forecast', 'ingest']

const HELP = `npm run bench -- [NAME …] [TERMINALS …] [--json FILE]
Measures, each figure in one run on this machine: ${Object.keys(benches).join(', ')} (without a name: ${defaultNames.join(', ')}).
Numbers are the sizes at which backup, browser, disk, executive, fleet and memory are measured; without one, all that have a target.
For reports, a number is how many are made; for wall, a second one is for how many minutes; for warnings, how many terminals are
judged.`

const fail = (message: string): never => {
  console.error(message)
  process.exit(2)
}

const parseArguments = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { json: { type: 'string' }, help: { type: 'boolean', default: false } },
    })
  } catch (error) {
    return fail(`bench: ${(error as Error).message.split('\n')[0]} (see --help)`)
  }
}

const { values, positionals } = parseArguments()
const isSize = (text: string) => /^\d+$/.test(text)
const names = positionals.filter((text) => !isSize(text))
const sizes = positionals.filter(isSize).map(Number)
const unknown = names.find((name) => !Object.hasOwn(benches, name))
if (unknown !== undefined) fail(`bench: there is no '${unknown}' (see --help)`)
if (values.help) {
  console.log(HELP)
  process.exit(0)
}

openRunFolder()
const measured: Record<string, Figure[]> = {}
let met = true
for (const name of names.length > 0 ? names : defaultNames) {
  const figures = await (benches[name] as Bench)(sizes)
  measured[name] = figures
  met = printFigures(name, figures) && met
}
if (values.json) await writeFile(values.json, `${JSON.stringify(measured, null, 2)}\n`)
process.exit(met ? 0 : 1)
