import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '#server/testing/find-free-port.ts'
import { onCleanup } from '../cleanup.ts'
import { exactly, type Figure } from '../figure.ts'
import type { MultiProcessStack } from '../multi-process/stack.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const BASE = 'localhost/dishboard-proof-base'
const BUILD_BASE = 'localhost/dishboard-proof-build'
const IMAGE = 'localhost/dishboard-proof'

const run = (program: string, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd: root,
    maxBuffer: 64 * 1024 ** 2,
  })
  if (status !== 0)
    throw new Error(`${program} ${args.slice(0, 8).join(' ')} ended with ${status}:\n${stderr.slice(-3_000)}`)
  return stdout.trim()
}

interface Tools {
  buildah: string
  mmdebstrap: string
  /** The `npm-cli.js` of the npm that runs this. */
  npm: string
}

type Buildah = (command: string, ...args: string[]) => string

/**
 * A minimal Debian as the base, since the public images may be unreachable; and the same with Node and npm, to build.
 */
const createBases = (buildah: Buildah, { mmdebstrap, npm }: Tools, folder: string) => {
  const files = join(folder, 'base.tar')
  run(mmdebstrap, ['--variant=minbase', '--include=ca-certificates,libstdc++6', 'bookworm', files])
  const container = buildah('from', 'scratch')
  buildah('add', container, files, '/')
  buildah('commit', container, BASE)
  buildah('add', container, process.execPath, '/usr/bin/node')
  buildah('add', container, join(dirname(npm), '..'), '/usr/lib/npm')
  buildah('run', container, '--', 'ln', '-s', '/usr/lib/npm/bin/npm-cli.js', '/usr/bin/npm')
  buildah('commit', container, BUILD_BASE)
  buildah('rm', container)
}

// Everything in the container itself: a signal to buildah would not reach the process.
const SERVE_AND_STOP = `
node=/app/node_modules/.bin/node
$node server/process/main.ts serve &
for second in $(seq 300); do $node deploy/healthcheck.mjs 2>/dev/null && break; sleep 1; done
$node deploy/healthcheck.mjs; health=$?
touch /app/file 2>/dev/null; written=$?
kill -TERM $!; wait $!; echo "health $health, exit $?, user $(id -u), write to /app $written"`

/** Runs the image as its user until its health check passes, and stops it by SIGTERM. */
const runImage = async (buildah: Buildah, image: string, stack: MultiProcessStack): Promise<Figure[]> => {
  const { Docker: built } = JSON.parse(buildah('inspect', '--type', 'image', image)) as {
    Docker: { config: { User: string; Healthcheck?: object; Volumes?: object } }
  }
  const { host, user, database } = stack.runtime
  // The socket's folder is private to its owner; the container has another user.
  chmodSync(host, 0o711)
  const environment = {
    DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    SECRET_KEY: 'a key of the proofs that is long enough',
    HOST: '127.0.0.1',
    PORT: String(await findFreePort()),
    DRAIN_SECONDS: '0',
  }
  const container = buildah('from', '--pull-never', image)
  const set = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const outcome = buildah('run', ...set, '--volume', `${host}:${host}`, container, '--', 'sh', '-c', SERVE_AND_STOP)
  const { User, Volumes = {}, Healthcheck } = built.config
  return [
    exactly(
      'image: user, volume and health check',
      `${User} ${Object.keys(Volumes)} ${Healthcheck ? 'checked' : 'unchecked'}`,
      '10001:10001 /data checked',
    ),
    exactly(
      'image: run and stopped',
      outcome.split('\n').at(-1) ?? '',
      'health 0, exit 0, user 10001, write to /app 1',
    ),
  ]
}

/** Builds the image with `deploy/Dockerfile`, without a network, and runs it. */
export const checkImage = async (tools: Tools, stack: MultiProcessStack): Promise<Figure[]> => {
  const folder = join(stack.folder, 'image')
  mkdirSync(folder)
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  const buildah: Buildah = (command, ...args) =>
    run(tools.buildah, [...storage, command, ...(command === 'run' ? ['--isolation', 'chroot'] : []), ...args])
  onCleanup(() => buildah('rm', '--all'))
  createBases(buildah, tools, folder)
  const cache = run(process.execPath, [tools.npm, 'config', 'get', 'cache'])
  buildah(
    'build',
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--pull-never',
    '--volume',
    `${cache}:/root/.npm`,
    '--build-arg',
    'NPM_CI_FLAGS=--offline',
    '--build-arg',
    `BUILD_IMAGE=${BUILD_BASE}`,
    '--build-arg',
    `RUN_IMAGE=${BASE}`,
    '-f',
    'deploy/Dockerfile',
    '-t',
    IMAGE,
    '.',
  )
  return runImage(buildah, IMAGE, stack)
}
