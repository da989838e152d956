import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

interface Component {
  name: string
  version: string
  purl: string
}

test('the bill of materials lists every package that runs in production, and no tool', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dishboard-sbom-'))
  try {
    const file = join(folder, 'sbom.json')
    execFileSync(process.execPath, ['scripts/sbom.mjs', file], { stdio: 'pipe' })
    const { bomFormat, metadata, components } = JSON.parse(readFileSync(file, 'utf8')) as {
      bomFormat: string
      metadata: { component: Component }
      components: Component[]
    }
    expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', 'dishboard'])
    const listed = components.map(({ purl }) => decodeURIComponent(purl))
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>
    for (const [name, version] of Object.entries(dependencies ?? {}))
      expect(listed).toContain(`pkg:npm/${name}@${version}`)
    expect(listed.filter((purl) => /^pkg:npm\/(vitest|@playwright\/test|typescript)@/.test(purl))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('an option is not taken for the name of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dishboard-sbom-'))
  try {
    const { status, stderr } = spawnSync(process.execPath, [resolve('scripts/sbom.mjs'), '--help'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([2, expect.stringContaining('npm run sbom')])
    expect(readdirSync(folder)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
