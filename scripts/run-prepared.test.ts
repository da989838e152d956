import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { root } from './prepare.mjs'

test.each([
  ['npm run bench -- --help', ['bench/main.ts', '--help']],
  ['npm run proof', ['proof/main.ts']],
  ['npm run proof -- --help', ['proof/main.ts', '--help']],
])('%s builds nothing and needs no browser', (_, args) => {
  const env = { ...process.env, CHROMIUM_PATH: '/there/is/no/browser' }
  const program = ['scripts/run-prepared.mjs', ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd: root, env, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  expect(stdout).toContain('npm run')
})
