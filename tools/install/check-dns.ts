import { Resolver } from 'node:dns/promises'
import { networkInterfaces } from 'node:os'
import { errorMessage, failure, ok, warning, type Finding } from '../../ops/doctor/finding.ts'

const TIMEOUT_MS = 3_000
const TRIES = 2
/** Answers of a working server that knows no such record. */
const NO_RECORD = ['ENOTFOUND', 'ENODATA']

type Network = {
  resolver?: Resolver
  /** Addresses of this machine. */
  own?: string[]
}

/** All names, of the site and its sign-in pages, must lead to this machine: visitors and the certificate authority come by them. */
export async function checkDns(
  hosts: string[],
  {
    resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }),
    own = ownAddresses(),
  }: Network = {},
): Promise<Finding[]> {
  const found = await Promise.all(hosts.map((host) => lookUp(host, resolver)))
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

type Lookup = { host: string; addresses: string[]; error: string | null }

async function lookUp(host: string, resolver: Resolver): Promise<Lookup> {
  const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const [error = null] = results.flatMap((one) =>
    one.status === 'rejected' && !NO_RECORD.includes(one.reason.code)
      ? [errorMessage(one.reason)]
      : [],
  )
  return { host, addresses, error }
}

function findingOf({ host, addresses, error }: Lookup, own: string[]): Finding {
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

/** Private, carrier-grade and link-local networks: nobody outside reaches them. */
const isPrivate = (address: string) =>
  /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|f[cd]|fe[89ab])/i.test(
    address,
  )
