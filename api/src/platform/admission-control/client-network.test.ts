import { expect, test } from 'vitest'
import { networkOf, networksOf } from './client-network.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['not an address', 'not an address'],
])('the address %s belongs to the network %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

test('an IPv6 address belongs to a /48, a /56 and a /64, an IPv4 address to itself', () => {
  expect(networksOf('2001:db8:1:2ab::1')).toEqual([
    '2001:db8:1::/48',
    '2001:db8:1:200::/56',
    '2001:db8:1:2ab::/64',
  ])
  expect(networksOf('192.0.2.7')).toEqual(['192.0.2.7'])
})
