import { lookup, Resolver } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { errorMessage, failure, ok, warning, type Finding } from '../../ops/doctor/finding.ts'

const TIMEOUT_MS = 3_000
const TRIES = 2
/** Answers of a working server that knows no such record. */
const NO_RECORD = ['ENOTFOUND', 'ENODATA']

type Network = {
  resolver?: Resolver
  /** Addresses that programs of this machine use, by its file of hosts too. */
  findLocally?: (host: string) => Promise<string[]>
  /** Addresses of this machine. */
  own?: string[]
}

/**
 * All names, of the site and its sign-in pages, must lead to this machine: visitors and the certificate authority come by them. They ask
 * DNS, so the file of hosts, which may name this machine by itself, counts as a warning only.
 */
export async function checkDns(
  hosts: string[],
  {
    resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }),
    findLocally = lookUpLocally,
    own = ownAddresses(),
  }: Network = {},
): Promise<Finding[]> {
  const found = await Promise.all(hosts.map((host) => lookUp(host, { resolver, findLocally })))
  const findings = found.map((one) => findingOf(one, own))
  const [site = [], identity = []] = found.map(({ addresses }) => addresses)
  if (site.length === 0 || identity.length === 0 || site.some((one) => identity.includes(one)))
    return findings
  return [
    ...findings,
    failure(
      `${hosts.join(' and ')} lead to different addresses: ${site.join(', ')} and ${identity.join(', ')}`,
      'let both lead to this machine',
    ),
  ]
}

type Lookup = {
  host: string
  addresses: string[]
  error: string | null
  /** Only if DNS has none. */
  local: string[]
}

async function lookUp(
  host: string,
  { resolver, findLocally }: Required<Pick<Network, 'resolver' | 'findLocally'>>,
): Promise<Lookup> {
  const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const [error = null] = results.flatMap((one) =>
    one.status === 'rejected' && !NO_RECORD.includes(one.reason.code)
      ? [errorMessage(one.reason)]
      : [],
  )
  return { host, addresses, error, local: addresses.length > 0 ? [] : await findLocally(host) }
}

const lookUpLocally = (host: string) =>
  lookup(host, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )

function findingOf({ host, addresses, error, local }: Lookup, own: string[]): Finding {
  if (local.some((address) => own.includes(address) || isLoopback(address)))
    return warning(
      `${host} leads to this machine (${local.join(', ')}) by its own file of hosts, not by DNS`,
      `leave it where all visitors have the name in such a file; otherwise create ${recordsFor(host, own)}`,
    )
  if (addresses.length === 0 && error)
    return failure(`${host} can’t be looked up: ${error}`, 'correct this machine’s DNS server')
  if (addresses.length === 0)
    return failure(`${host} has no DNS record`, `create ${recordsFor(host, own)}`)
  const list = addresses.join(', ')
  if (addresses.some((address) => own.includes(address)))
    return ok(`${host} leads to this machine (${list})`)
  return warning(
    `${host} leads to ${list}, which is no address of this machine`,
    `leave it if a router or balancer passes connections on to this machine; otherwise create ${recordsFor(host, own)}`,
  )
}

function recordsFor(host: string, own: string[]) {
  const records = own
    .filter((address) => !isPrivate(address))
    .map((address) => `${address.includes(':') ? 'AAAA' : 'A'} ${address}`)
  return records.length > 0
    ? `the DNS record ${host} ${records.join(', and ')}`
    : `the DNS record ${host} A with the public address of this machine`
}

const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal }) => !internal).map(({ address }) => address),
  )

const isLoopback = (address: string) => /^(127\.|::1$)/.test(address)

/** Private, carrier-grade and link-local networks: nobody outside reaches them. */
const isPrivate = (address: string) =>
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd]|fe[89ab])/i.test(
    address,
  )
