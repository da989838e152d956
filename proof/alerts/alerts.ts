import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { exactly } from '../figure.ts'
import type { Proof } from '../proof.ts'

const folder = fileURLToPath(new URL('../../monitoring/', import.meta.url))

/** Returns whether promtool accepts the file; otherwise its output is logged. */
const runPromtool = (args: string[], log: (message: string) => void) => {
  const { status, stdout, stderr, error } = spawnSync(process.env.PROMTOOL_PATH ?? 'promtool', args, {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status === 0) return true
  log(`promtool ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`)
  return false
}

export const alerts: Proof = {
  name: 'alerts',
  about: 'the alert rules fire when they should, and not in a healthy installation',
  run: async ({ log }) => [
    exactly(
      'rules that promtool refuses',
      runPromtool(['check', 'rules', 'alerts.yml'], log) ? 'none' : 'some',
      'none',
    ),
    exactly(
      'alerts that do not fire, or fire in a healthy installation',
      runPromtool(['test', 'rules', 'alerts.test.yml'], log) ? 'none' : 'some',
      'none',
    ),
  ],
}
