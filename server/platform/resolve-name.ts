import { Resolver } from 'node:dns/promises'
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
const FILES_CACHED_MS = 10_000

const toAddress = (address: string): ResolvedAddress => ({ address, family: address.includes(':') ? 6 : 4 })

/** The addresses of a name in the text of a hosts file. */
export const findInHosts = (text: string, hostname: string): ResolvedAddress[] =>
  text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.some((name) => name.toLowerCase() === hostname.toLowerCase()) ? [toAddress(address)] : []
  })

/** The domains in which names without a dot are searched; the last line counts, as for the system's resolver. */
export const findSearchDomains = (text: string): string[] => {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  const [, ...domains] = lines.findLast(([keyword]) => keyword === 'search' || keyword === 'domain') ?? []
  return domains.map((domain) => domain.replace(/\.$/, '')).filter((domain) => domain !== '')
}

const files = new Map<string, { text: Promise<string>; untilMs: number }>()

/** A file of the machine, empty if there is none. Not read for each request: reading takes a thread. */
const readCached = (path: string) => {
  const known = files.get(path)
  if (known && known.untilMs > performance.now()) return known.text
  const text = readFile(path, 'utf8').catch(() => '')
  files.set(path, { text, untilMs: performance.now() + FILES_CACHED_MS })
  return text
}

interface Options {
  /** Whether names without a dot, which depend on the machine's search domains, are resolved too. */
  allowsShortNames: boolean
  hostsFile?: string
  searchFile?: string
  /** By default those of the machine. */
  servers?: string[]
  timeoutMs?: number
}

export const createResolver = ({
  allowsShortNames,
  hostsFile = '/etc/hosts',
  searchFile = '/etc/resolv.conf',
  servers,
  timeoutMs = TIMEOUT_MS,
}: Options) => {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES })
  if (servers) resolver.setServers(servers)

  const query = async (hostname: string): Promise<ResolvedAddress[]> => {
    const results = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    const [first] = results
    if (addresses.length === 0 && first?.status === 'rejected') throw first.reason
    return addresses.map(toAddress)
  }

  /** In each of the domains, and then as it is. */
  const searchShortName = async (hostname: string) => {
    for (const domain of findSearchDomains(await readCached(searchFile))) {
      const found = await query(`${hostname}.${domain}`).catch(() => [])
      if (found.length > 0) return found
    }
    return query(hostname)
  }

  return async (hostname: string): Promise<ResolvedAddress[]> => {
    const known = findInHosts(await readCached(hostsFile), hostname)
    if (known.length > 0) return known
    return allowsShortNames && !hostname.includes('.') ? searchShortName(hostname) : query(hostname)
  }
}
