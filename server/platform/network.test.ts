import { expect, test } from 'vitest'
import { listNetworks, toCustomerNetwork, toProviderNetwork } from './network.ts'

test.each([
  ['203.0.113.7', '203.0.113.7', '203.0.0.0/16'],
  ['::ffff:203.0.113.7', '203.0.113.7', '203.0.0.0/16'],
  ['2001:db8:0:12:a::1', '2001:db8:0:12::/64', '2001:db8::/32'],
  ['2001:DB8::1', '2001:db8:0:0::/64', '2001:db8::/32'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0::/32'],
  ['', '', ''],
])('%s is of the customer %s at the provider %s', (address, customer, provider) => {
  expect([toCustomerNetwork(address), toProviderNetwork(address)]).toEqual([customer, provider])
})

test.each([
  ['203.0.113.7', ['203.0.113.7', '203.0.113.0/24']],
  ['2001:db8:0:1234::1', ['2001:db8:0:1234::/64', '2001:db8:0:1200::/56', '2001:db8:0::/48']],
  ['2001:db8:0:12:a::1', ['2001:db8:0:12::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
  ['unix', ['unix']],
])('%s is in %j', (address, networks) => {
  expect(listNetworks(address)).toEqual(networks)
})
