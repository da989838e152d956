import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runChild } from './child.mjs'
import { Problem } from './problem.mjs'
import { during } from './progress.mjs'

const NEEDED_BYTES = 900 * 1024 ** 2
export const WANTED_MAJOR = 24
const UNREACHABLE = /EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/
const QUIET_NPM = ['--loglevel=error', '--no-audit', '--no-fund', '--no-progress', '--no-update-notifier']

const stampFile = (root) => join(root, 'node_modules/.dishboard-lock-sha256')
const lockFile = (root) => join(root, 'package-lock.json')
const hashLock = (root) =>
  createHash('sha256')
    .update(readFileSync(lockFile(root)))
    .digest('hex')
const readPackages = (root) => JSON.parse(readFileSync(lockFile(root), 'utf8')).packages

/** npm skips an optional package that it cannot download without an error. Ours contain Node and PostgreSQL. */
const hasPlatformPackages = (root) => {
  const packages = readPackages(root)
  const fits = ({ os, cpu }) => os.includes(process.platform) && cpu.includes(process.arch)
  const wanted = Object.keys(packages[''].optionalDependencies ?? {}).filter((name) =>
    fits(packages[`node_modules/${name}`]),
  )
  return wanted.every((name) => existsSync(join(root, 'node_modules', name, 'package.json')))
}

const isInstalled = (root) =>
  existsSync(stampFile(root)) && readFileSync(stampFile(root), 'utf8') === hashLock(root) && hasPlatformPackages(root)

const checkSpace = (root) => {
  const { bavail, bsize } = statfsSync(root)
  const free = bavail * bsize
  if (free >= NEEDED_BYTES) return
  const mb = (bytes) => `${Math.floor(bytes / 1024 ** 2)} MB`
  throw new Problem(
    `Too little space: the packages need ${mb(NEEDED_BYTES)}, and the disk of ${root} has ${mb(free)} free. Free some space and try again.`,
  )
}

/** npm runs on the Node it was started with: the one in node_modules is about to be replaced. */
export const npmCommand = () => {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env
  if (cli?.endsWith('npm-cli.js') && node && existsSync(node)) return [node, cli]
  return ['npm']
}

const explainNpm = (output) => {
  const lines = output.trim().split('\n')
  if (/ENOSPC/.test(output)) return 'The disk is full. Free some space and try again.'
  if (UNREACHABLE.test(output) || /ENOTCACHED/.test(output)) {
    return 'The package registry cannot be reached. Check the network (and the proxy or registry that npm is set to use) and try again.'
  }
  if (/EACCES|EPERM|EROFS/.test(output)) {
    return 'npm may not write here. Start as the owner of this folder, or give it to this user with chown -R.'
  }
  return `npm ci failed:\n${lines.slice(-15).join('\n')}`
}

const countInstalled = (root) => {
  const packages = readPackages(root)
  const wanted = Object.keys(packages).filter((path) => path !== '' && !packages[path].optional)
  return () => {
    const count = wanted.filter((path) => existsSync(join(root, path, 'package.json'))).length
    return count === 0 ? 'asking the registry' : `${count} of ${wanted.length} packages`
  }
}

const runNpm = (args) => {
  const [command, ...first] = npmCommand()
  return runChild(command, [...first, ...args, ...QUIET_NPM], { quiet: true })
}

// npm retries each of hundreds of packages before it gives up. One request first saves minutes of waiting.
const isRegistryReachable = async () => {
  const { output } = await runNpm(['ping', '--fetch-retries=0', '--fetch-timeout=15000'])
  return !UNREACHABLE.test(output)
}

const install = async () => {
  const source = (await isRegistryReachable()) ? [] : ['--offline']
  const { code, output } = await runNpm(['ci', '--include=dev', ...source])
  if (code !== 0) throw new Problem(explainNpm(output))
}

/** Installs what the lock file lists. Fast if it is already installed. */
export const ensureInstalled = async (root) => {
  if (isInstalled(root)) return
  checkSpace(root)
  await during('Installing packages', install, countInstalled(root))
  writeFileSync(stampFile(root), hashLock(root))
}

const readMajor = (node) => {
  const { status, stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return status === 0 ? Number(/^v(\d+)/.exec(stdout)?.[1]) : 0
}

/** The Node that runs the product: the packaged one, or an installed one that is new enough. */
export const getNode = (root) => {
  const packaged = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`)
  const candidates = [packaged, process.execPath, process.env.npm_node_execpath ?? 'node']
  const node = candidates.find((path) => readMajor(path) >= WANTED_MAJOR)
  if (node) return node
  throw new Problem(
    existsSync(packaged)
      ? `Node ${WANTED_MAJOR} was installed with the packages but cannot run here. Install Node ${WANTED_MAJOR} or newer on this machine and try again.`
      : `Node ${WANTED_MAJOR} did not come with the packages. Check the network and try again, or install Node ${WANTED_MAJOR} or newer on this machine.`,
  )
}
