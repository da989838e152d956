import { existsSync } from 'node:fs'
import { runChild } from './child.mjs'

export const isRoot = () => process.getuid?.() === 0

export const canInstallFromDebian = () => isRoot() && existsSync('/usr/bin/apt-get')

// A machine without a network must not wait for each mirror in turn.
const aptGet = (...args) =>
  runChild('apt-get', ['-qq', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=15', ...args], {
    quiet: true,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })

/** Returns the output of apt-get. */
export const installFromDebian = async (packages) => {
  const update = await aptGet('update')
  const install = await aptGet('install', '-y', '--no-install-recommends', ...packages)
  return update.output + install.output
}

/** The command for a user who has to run it. */
export const describeInstall = (packages) => {
  const sudo = isRoot() ? '' : 'sudo '
  return `${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${packages.join(' ')}`
}

export const findReason = (output) => {
  const reason = output.split('\n').findLast((line) => /^E:|error|failed/i.test(line))
  return reason ? `\nThe last attempt said: ${reason.trim()}` : ''
}
