import { isIPv6 } from 'node:net'

/** The eight groups of an IPv6 address, or the four numbers of an IPv4 address, including one written as IPv6. */
const splitAddress = (address: string): string[] => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped || !isIPv6(address)) return (mapped ?? address).split('.')
  const [head = '', tail] = (address.split('%')[0] as string).split('::')
  const before = head.split(':').filter(Boolean)
  const after = (tail ?? '').split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after]
  return groups.map((group) => Number.parseInt(group, 16).toString(16))
}

/** The network of one customer: an IPv4 address, or the /64 of an IPv6 address. */
export const toCustomerNetwork = (address: string) => {
  const parts = splitAddress(address)
  return parts.length === 8 ? `${parts.slice(0, 4).join(':')}::/64` : parts.join('.')
}

/**
 * The networks that contain an address, the customer's own first. A provider assigns a customer a /64, a /56 or a /48 of
 * IPv6, and a small company or a rented rack has up to a /24 of IPv4.
 */
export const listNetworks = (address: string): [string, ...string[]] => {
  const parts = splitAddress(address)
  const own = toCustomerNetwork(address)
  if (parts.length === 4) return [own, `${parts.slice(0, 3).join('.')}.0/24`]
  if (parts.length !== 8) return [own]
  const upperByte = (Number.parseInt(parts[3] as string, 16) & 0xff00).toString(16)
  const site = parts.slice(0, 3).join(':')
  return [own, `${site}:${upperByte}::/56`, `${site}::/48`]
}

/** Approximately a provider in one region: the /16 of an IPv4 address, or the /32 of an IPv6 address. */
export const toProviderNetwork = (address: string) => {
  const parts = splitAddress(address)
  if (parts.length === 8) return `${parts.slice(0, 2).join(':')}::/32`
  return parts.length === 4 ? `${parts.slice(0, 2).join('.')}.0.0/16` : address
}
