import { isIPv4, isIPv6 } from 'node:net'

/** One subscriber: an IPv4 address, or an IPv6 /64, in which a machine may use any address. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped && isIPv4(mapped)) return mapped
  return isIPv6(ip) ? `${groupsOf(ip).slice(0, 4).join(':')}::/64` : ip
}

/** How many of something each network has. */
export function countByNetwork() {
  const counts = new Map<string, number>()
  /** Looked for when asked, and again after a change. */
  let first: { network: string; count: number } | null = null
  const of = (network: string) => counts.get(network) ?? 0
  return {
    of,
    add(network: string, count: number) {
      first = null
      const sum = of(network) + count
      if (sum > 0) counts.set(network, sum)
      else counts.delete(network)
    },
    /** The network with the most, if that is more than `least`. */
    largest(least: number) {
      first ??= largestOf(counts)
      return first.count > least ? first.network : null
    },
  }
}

function largestOf(counts: Map<string, number>) {
  let largest = { network: '', count: 0 }
  for (const [network, count] of counts) if (count > largest.count) largest = { network, count }
  return largest
}

/** All eight groups, without leading zeros. */
function groupsOf(ip: string) {
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::')
  const [first, last] = [toGroups(head), toGroups(tail ?? '')]
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
}

const toGroups = (text: string) =>
  text
    .split(':')
    .filter(Boolean)
    // A trailing embedded IPv4 address is two groups; their value doesn't matter for the /64.
    .flatMap((group) => (group.includes('.') ? ['0', '0'] : [parseInt(group, 16).toString(16)]))
