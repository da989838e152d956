import { expect, test } from 'vitest'
import { createAllowList, findAddressFault, isPublicAddress } from './outbound-address.ts'

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '203.0.113.9',
  '::',
  '::1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '::127.0.0.1',
  'fe80::1',
  'fd00:ec2::254',
  'fc00::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  // The wire server of Azure, although it is in a public range.
  '168.63.129.16',
  'localhost',
  '127.1',
  '',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '93.184.215.14', '100.128.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test.each([
  ['http://hooks.example/', 'The address must begin with https://.'],
  ['ftp://hooks.example/', 'The address must begin with https://.'],
  ['https://hooks.example:22/', 'The port must be 443 or 8443.'],
  ['https://user:pass@hooks.example/', 'An address may not contain a user name or password.'],
  ['https://127.0.0.1/', 'The address must be on the public internet.'],
  // The same address in other notations that browsers accept.
  ['https://2130706433/', 'The address must be on the public internet.'],
  ['https://0x7f.1/', 'The address must be on the public internet.'],
  ['https://[::ffff:127.0.0.1]/', 'The address must be on the public internet.'],
  ['https://hooks.example:8443/path?key=1', undefined],
])('%s: %s', (address, fault) => {
  expect(findAddressFault(address, [])).toBe(fault)
})

const METADATA = 'The address must be on the public internet; link-local and cloud metadata addresses are not called.'

test.each([
  ['https://169.254.169.254/', '127.0.0.0/8', METADATA],
  ['http://169.254.169.254/latest/', '0.0.0.0/0', METADATA],
  ['https://[::ffff:169.254.169.254]/', '169.254.0.0/8', METADATA],
  ['https://[fe80::1]/', 'fc00::/6', METADATA],
  ['https://[fd00:ec2::254]/', 'fd00::/8', METADATA],
  ['https://100.100.100.200/', '100.64.0.0/10', METADATA],
  ['http://169.254.169.254/', '169.254.169.254/32', undefined],
  ['http://169.254.1.1/', '169.254.0.0/16', undefined],
  [
    'http://10.9.0.1/',
    '10.1.0.0/16',
    'The address must be on the public internet or in a network that the operator has allowed.',
  ],
  ['http://10.1.2.3:8080/', '10.1.0.0/16', undefined],
  ['https://93.184.215.14:22/', '10.1.0.0/16', 'The port must be 443 or 8443.'],
  // It may resolve to the allowed network.
  ['http://hooks.example:8080/', '10.1.0.0/16', undefined],
])('%s with %s allowed: %s', (address, network, fault) => {
  expect(findAddressFault(address, [network])).toBe(fault)
})

test('cloud metadata may be called if that very network is allowed', () => {
  expect(createAllowList(['169.254.169.254/32'])('169.254.169.254')).toBe(true)
  expect(createAllowList(['169.254.169.254/32'])('169.254.169.253')).toBe(false)
  expect(createAllowList(['0.0.0.0/0'])('169.254.169.254')).toBe(false)
  expect(createAllowList(['0.0.0.0/0'])('10.0.0.1')).toBe(true)
})
