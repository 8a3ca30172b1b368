import { isIPv4, isIPv6 } from 'node:net'
import { tooManyRequests } from '#platform/errors.ts'

/** One subscriber: an IPv4 address, or an IPv6 /64, in which a machine may use any address. */
export const networkOf = (ip: string): string => networksOf(ip).at(-1) ?? ip

/** Networks of an address, widest first: a subscriber may have an IPv6 /48 or /56 with thousands of /64. */
export function networksOf(ip: string): string[] {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped && isIPv4(mapped)) return [mapped]
  if (!isIPv6(ip)) return [ip]
  const [a, b, c, d = '0'] = groupsOf(ip)
  const upper = (parseInt(d, 16) & 0xff00).toString(16)
  return [`${a}:${b}:${c}::/48`, `${a}:${b}:${c}:${upper}::/56`, `${a}:${b}:${c}:${d}::/64`]
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

const MINUTE_MS = 60_000
/** Limit of a wider IPv6 network relative to the next narrower one: one or several subscribers may use it. */
const WIDER_FACTOR = 4

/** Fixed-window request counter per caller and minute, in this process only. */
export function buildRequestCounter(perMinute: number) {
  let minute = 0
  let counts = new Map<string, number>()

  function count(caller: string, max: number) {
    const current = Math.floor(Date.now() / MINUTE_MS)
    if (current !== minute) counts = new Map()
    minute = current
    const counted = (counts.get(caller) ?? 0) + 1
    counts.set(caller, counted)
    if (counted <= max) return
    throw tooManyRequests(Math.ceil((MINUTE_MS - (Date.now() % MINUTE_MS)) / 1_000))
  }

  return {
    countAccount: (sub: string) => count(`account ${sub}`, perMinute),
    /** Widest first. */
    countNetworks(networks: readonly string[]) {
      for (const [wider, network] of networks.toReversed().entries())
        count(`network ${network}`, perMinute * WIDER_FACTOR ** wider)
    },
  }
}
