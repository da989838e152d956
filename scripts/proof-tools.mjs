import { existsSync } from 'node:fs'
import { canInstallFromDebian, installFromDebian } from './debian.mjs'
import { during } from './progress.mjs'

/** Operators' programs that proofs run, each with its Debian package. */
const TOOLS = [
  ['/usr/sbin/nginx', 'nginx'],
  ['/usr/bin/caddy', 'caddy'],
  ['/usr/sbin/pgbouncer', 'pgbouncer'],
  ['/usr/bin/prometheus', 'prometheus'],
]

/** Installs them where possible. Elsewhere the proofs report what is missing, and do not count it. */
export const ensureProofTools = async () => {
  const missing = TOOLS.filter(([path]) => !existsSync(path)).map(([, name]) => name)
  if (missing.length === 0 || !canInstallFromDebian()) return
  await during(`Installing ${missing.join(', ')} with apt-get`, () => installFromDebian(missing))
}
