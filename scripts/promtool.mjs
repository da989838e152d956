import { spawnSync } from 'node:child_process'
import { canInstallFromDebian, describeInstall, findReason, installFromDebian } from './debian.mjs'
import { Problem } from './problem.mjs'
import { during } from './progress.mjs'

const PACKAGES = ['prometheus']

const runs = (path) => spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0

/** Returns a working promtool, installing Debian's Prometheus if there is none. */
export const ensurePromtool = async () => {
  const path = process.env.PROMTOOL_PATH ?? 'promtool'
  if (runs(path)) return path
  let output = ''
  if (canInstallFromDebian() && path === 'promtool')
    output = await during('Installing Prometheus with apt-get', () => installFromDebian(PACKAGES))
  if (runs(path)) return path
  throw new Problem(
    `There is no ${path}, which tests the alert rules. Run this once, then try again:\n` +
      `  ${describeInstall(PACKAGES)}\n` +
      `or set PROMTOOL_PATH to a promtool.${findReason(output)}`,
  )
}
