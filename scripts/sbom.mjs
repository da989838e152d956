import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Writes the software bill of materials of the production packages, in CycloneDX. */
const root = resolve(fileURLToPath(import.meta.url), '../..')
const given = process.argv[2] ?? resolve(root, 'dist/sbom.cdx.json')
if (given.startsWith('-')) {
  console.error('npm run sbom -- [FILE]   writes the bill of materials, to dist/sbom.cdx.json by default')
  process.exit(2)
}
const file = resolve(given)

const npmOptions = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
const report = execFileSync('npm', npmOptions, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
const bom = JSON.parse(report)
// npm uses the folder's name as the name of the application.
bom.metadata.component.name = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')).name
// Not by --omit=dev, which also leaves out packages that both the application and a tool need, such as zod.
const isTool = ({ properties }) => properties.some(({ name }) => name === 'cdx:npm:package:development')
const tools = new Set(bom.components.filter(isTool).map((component) => component['bom-ref']))
bom.components = bom.components.filter((component) => !isTool(component))
bom.dependencies = bom.dependencies
  .filter(({ ref }) => !tools.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((name) => !tools.has(name)) }))

mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
console.log(`${bom.components.length} components are listed in ${file}`)
