import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'

/*
 * Resolves names that users of the portal choose. The system's resolver takes a thread of the pool that also reads files and
 * compresses responses, for as long as the servers of a name let it wait. So such names are looked up in the hosts file, and
 * then by DNS queries, which take no thread and have a timeout.
 */

export interface ResolvedAddress {
  address: string
  family: number
}

const TIMEOUT_MS = 2_000
const TRIES = 2

const toAddress = (address: string): ResolvedAddress => ({ address, family: address.includes(':') ? 6 : 4 })

/** The addresses of a name in the text of a hosts file. */
export const findInHosts = (text: string, hostname: string): ResolvedAddress[] =>
  text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.some((name) => name.toLowerCase() === hostname.toLowerCase()) ? [toAddress(address)] : []
  })

interface Options {
  /** Whether names without a dot, which depend on the machine's search domains, are resolved too. */
  allowsShortNames: boolean
  hostsFile?: string
  /** By default those of the machine. */
  servers?: string[]
  timeoutMs?: number
}

export const createResolver = ({
  allowsShortNames,
  hostsFile = '/etc/hosts',
  servers,
  timeoutMs = TIMEOUT_MS,
}: Options) => {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
  if (servers) resolver.setServers(servers)
  return async (hostname: string): Promise<ResolvedAddress[]> => {
    const known = findInHosts(await readFile(hostsFile, 'utf8').catch(() => ''), hostname)
    if (known.length > 0) return known
    if (allowsShortNames && !hostname.includes('.')) return lookup(hostname, { all: true })
    const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    const [first] = results
    if (addresses.length === 0 && first?.status === 'rejected') throw first.reason
    return addresses.map(toAddress)
  }
}
