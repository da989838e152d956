import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runChild } from './child.mjs'
import { canInstallFromDebian, describeInstall, findReason, installFromDebian, isRoot } from './debian.mjs'
import { Problem } from './problem.mjs'
import { during } from './progress.mjs'

// Chromium without a UI: the same pages in half the time.
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const SYSTEM_BROWSERS = [
  HEADLESS_SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]
const DEBIAN_PACKAGES = ['chromium', 'fonts-liberation']
const DEBIAN_SHELL_PACKAGES = ['chromium-headless-shell', 'fonts-liberation']

// Ubuntu's /usr/bin/chromium-browser may be a stub that tells users to install a snap, so its existence proves nothing.
const runs = (path) => existsSync(path) && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0

const findPlaywrightBrowser = (root, node) => {
  const script = "process.stdout.write(require('@playwright/test').chromium.executablePath())"
  const { stdout } = spawnSync(node, ['-e', script], { cwd: root, encoding: 'utf8' })
  return stdout && runs(stdout) ? stdout : undefined
}

const findBrowser = (root, node) => SYSTEM_BROWSERS.find(runs) ?? findPlaywrightBrowser(root, node)

const installFromPlaywright = async (root, node) => {
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  const { output } = await runChild(node, [cli, 'install', ...(isRoot() ? ['--with-deps'] : []), 'chromium'], {
    quiet: true,
  })
  return output
}

/** Returns the path of a Chromium that runs, installing one when there is none. */
export const ensureBrowser = async (root, node) => {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (runs(given)) return given
    throw new Problem(`CHROMIUM_PATH is ${given}, and that does not run. Set it to a Chromium or Chrome, or unset it.`)
  }
  let found = findBrowser(root, node)
  let output = ''
  const attempt = async (what, install) => {
    output += await during(what, install)
    found = findBrowser(root, node)
  }
  const hasApt = canInstallFromDebian()
  if (hasApt && found !== HEADLESS_SHELL) {
    await attempt('Installing the headless Chromium with apt-get', () => installFromDebian(DEBIAN_SHELL_PACKAGES))
  }
  if (hasApt && !found) await attempt('Installing Chromium with apt-get', () => installFromDebian(DEBIAN_PACKAGES))
  if (!found) await attempt('Downloading Chromium', () => installFromPlaywright(root, node))
  if (found) return found
  throw new Problem(
    `No Chromium was found, and none could be installed. Run this once, then npm test again:\n` +
      `  ${describeInstall(DEBIAN_PACKAGES)}\n` +
      `or set CHROMIUM_PATH to a Chromium or Chrome.${findReason(output)}`,
  )
}
