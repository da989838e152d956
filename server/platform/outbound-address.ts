import { BlockList, isIP } from 'node:net'

/* Which addresses the server calls for its users, who choose them. See outbound-request.ts. */

/** Everything that is not a public internet address (the special-purpose address registries, RFC 6890). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Within 2000::/3, the only public range: addresses that embed IPv4, and those reserved for documentation. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
/**
 * Link-local addresses, and those at which clouds give the credentials of a machine to whoever asks there (Amazon by IPv6,
 * Alibaba, Oracle, Azure). A wider network that the operator allows does not include them.
 */
const METADATA = [
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
]

const parseNetwork = (network: string) => {
  const [address = '', bits] = network.split('/')
  const family = isIP(address) === 6 ? ('ipv6' as const) : ('ipv4' as const)
  return { address, family, bits: bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits) }
}

const toBlockList = (networks: readonly string[]) => {
  const list = new BlockList()
  for (const { address, bits, family } of networks.map(parseNetwork)) list.addSubnet(address, bits, family)
  return list
}

const includes = (list: BlockList, address: string) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

const special = toBlockList([...SPECIAL_IPV4, ...SPECIAL_IPV6])
const globalUnicast = toBlockList(['2000::/3'])
const metadata = toBlockList(METADATA)

const isWithin = (network: string, wider: string) => {
  const { address, bits, family } = parseNetwork(network)
  return bits >= parseNetwork(wider).bits && toBlockList([wider]).check(address, family)
}

/** Whether an address is public. IPv4 written as IPv6 is not. */
export const isPublicAddress = (address: string) => {
  const family = isIP(address)
  if (family === 0 || includes(metadata, address)) return false
  if (family === 4) return !special.check(address, 'ipv4')
  return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** Whether an address is in one of the operator's networks. */
export const createAllowList = (networks: readonly string[]) => {
  const allowed = toBlockList(networks)
  const allowedMetadata = toBlockList(networks.filter((each) => METADATA.some((wider) => isWithin(each, wider))))
  return (address: string) => includes(includes(metadata, address) ? allowedMetadata : allowed, address)
}

const PORTS: ReadonlySet<number> = new Set([443, 8443])

const parsePort = ({ port, protocol }: URL) => Number(port) || (protocol === 'https:' ? 443 : 80)

/** A URL encloses an IPv6 address in brackets. */
export const parseHost = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

const describePrivate = (address: string, allowedNetworks: readonly string[]) => {
  const required = 'The address must be on the public internet'
  if (includes(metadata, address)) return `${required}; link-local and cloud metadata addresses are not called.`
  return allowedNetworks.length === 0 ? `${required}.` : `${required} or in a network that the operator has allowed.`
}

/** What is wrong with a URL before its name is resolved; undefined if nothing is. */
export const findAddressFault = (text: string, allowedNetworks: readonly string[]): string | undefined => {
  if (!URL.canParse(text)) return 'This is not an address.'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'An address may not contain a user name or password.'
  if (!/^https?:$/.test(url.protocol)) return 'The address must begin with https://.'
  const host = parseHost(url)
  const isLiteral = isIP(host) !== 0
  // A name may resolve to an allowed network, which shows when the connection is opened.
  if (isLiteral ? createAllowList(allowedNetworks)(host) : allowedNetworks.length > 0) return undefined
  if (isLiteral && !isPublicAddress(host)) return describePrivate(host, allowedNetworks)
  if (url.protocol !== 'https:') return 'The address must begin with https://.'
  return PORTS.has(parsePort(url)) ? undefined : `The port must be ${[...PORTS].join(' or ')}.`
}
