import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from './prepare.mjs'
import { listRepositoryFiles } from './repository-files.mjs'

const INSTALLING = ['start', 'dev', 'test', 'test:full', 'bench', 'proof', 'picture']
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
const others = Object.keys(scripts).filter((name) => !INSTALLING.includes(name))

let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'dishboard-clone-'))
  for (const file of listRepositoryFiles(root)) cpSync(join(root, file), join(copy, file))
})

afterAll(() => rmSync(copy, { recursive: true }))

test.each(others)('before the packages are installed, npm run %s works or says how to install them', (name) => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', name], { cwd: copy, encoding: 'utf8' })
  const explanation = 'The packages are not installed. Run npm start -- --prepare first.\n'
  if (status !== 0) expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: explanation })
  else expect(stdout).not.toBe('')
})
