import { isIPv6 } from 'node:net'

/** The eight groups of an IPv6 address, or the four numbers of an IPv4 address, also of one that is written as IPv6. */
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

/** Roughly the provider at a place: the /16 of an IPv4 address, or the /32 of an IPv6 address. */
export const toProviderNetwork = (address: string) => {
  const parts = splitAddress(address)
  if (parts.length === 8) return `${parts.slice(0, 2).join(':')}::/32`
  return parts.length === 4 ? `${parts.slice(0, 2).join('.')}.0.0/16` : address
}
