import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { openRunFolder } from '#server/testing/run-folder.ts'
import { measureBackup } from './backup.ts'
import { measureBrowser } from './browser/browser.ts'
import { measureBytes } from './browser/bytes.ts'
import { measureSlowLink } from './browser/slow-link.ts'
import { measureWall } from './browser/wall.ts'
import { measureCharts } from './charts.ts'
import { measureDetail } from './detail.ts'
import { measureDisk } from './disk.ts'
import { measureEvents } from './events.ts'
import { measureExecutive } from './executive.ts'
import { type Bench, type Figure, printFigures } from './figures.ts'
import { measureFleet } from './fleet.ts'
import { measureForecast } from './forecast.ts'
import { measureIdle } from './idle.ts'
import { measureIngest } from './ingest.ts'
import { measureInventory, measureUsage } from './inventory.ts'
import { measureMemory } from './memory.ts'
import { measureReports } from './reports.ts'
import { measureRollup } from './rollup.ts'
import { measureStart } from './start.ts'
import { measureWarnings } from './warnings.ts'

/** `start` installs a clone, and `detail` and `rollup` fill a store once. They take minutes and run only if named. */
const benches: Record<string, Bench> = {
  backup: measureBackup,
  charts: measureCharts,
  browser: measureBrowser,
  detail: measureDetail,
  disk: measureDisk,
  bytes: measureBytes,
  events: measureEvents,
  executive: measureExecutive,
  fleet: measureFleet,
  forecast: measureForecast,
  idle: measureIdle,
  ingest: measureIngest,
  inventory: measureInventory,
  memory: (sizes) => measureMemory(sizes, process.env),
  reports: measureReports,
  rollup: measureRollup,
  'slow-link': measureSlowLink,
  start: () => measureStart(process.env),
  usage: measureUsage,
  wall: measureWall,
  warnings: measureWarnings,
}
const defaultNames = ['charts', 'forecast', 'ingest']

const HELP = `npm run bench -- [NAME …] [TERMINALS …] [--json FILE]
Measures, each figure in one run on this machine: ${Object.keys(benches).join(', ')} (without a name: ${defaultNames.join(', ')}).
Numbers are the sizes at which backup, browser, disk, executive, fleet, inventory, memory and usage are measured; without one,
the usual ones.
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
