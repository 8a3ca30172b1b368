import { readFileSync } from 'node:fs'
import { failure, ok, warning, type Finding } from './finding.ts'

const HOUR_MS = 3_600_000
/** Renewals are checked twice a day (ops/certbot/renew.sh). */
const AGE_MAX_HOURS = 26

/** First match, on what Let's Encrypt, Pebble and certbot say. */
const REMEDIES: [RegExp, string][] = [
  [
    /too many|rate ?limit/i,
    'wait: the authority limits failed orders by the hour; meanwhile check that DNS and port 80 lead both host names here',
  ],
  [
    /DNS problem|NXDOMAIN|SERVFAIL|no such host|no valid (?:IP|A record)|looking up/i,
    'add DNS records (A, AAAA) that lead both host names to this server',
  ],
  [/CAA/, 'allow the authority in the CAA record of the domain, or remove that record'],
  [
    /acme-challenge|during connect|firewall/i,
    'let the internet reach this server on port 80 under both host names: firewall, router, DNS',
  ],
  [
    /^Requesting |ConnectionPool|timed out|timeout|SSL|service busy|internal error/i,
    'the authority is away or out of reach: let this server connect to ACME_DIRECTORY by https, or wait',
  ],
]
const OTHER_REMEDY =
  'read the log of certbot: ./gatehouse compose logs certbot; on a server: journalctl -u gatehouse-certbot'

type AcmeStatus = { checkedAt: string; isOk: boolean; message: string }

/** Reads what certbot's last try left. Not urgent while the served certificate is trusted for long enough. */
export function checkAcme(
  env: NodeJS.ProcessEnv,
  { isUrgent, now = Date.now() }: { isUrgent: boolean; now?: number },
): Finding[] {
  const file = env['ACME_STATUS_FILE']
  if (!file || (env['TLS'] || 'acme') !== 'acme') return []
  const finding = isUrgent ? failure : warning
  const status = readStatus(file)
  if (!status) return [finding('certbot has not tried to get a certificate yet', OTHER_REMEDY)]
  const hours = (now - Date.parse(status.checkedAt)) / HOUR_MS
  if (hours > AGE_MAX_HOURS)
    return [
      finding(
        `certbot last checked the certificate ${Math.round(hours)} hours ago`,
        'start its service: ./gatehouse up; on a server: gatehouse up',
      ),
    ]
  if (status.isOk) return [ok('The last check for renewal succeeded')]
  return [
    finding(
      `The authority issued no certificate: ${status.message}`,
      REMEDIES.find(([pattern]) => pattern.test(status.message))?.[1] ?? OTHER_REMEDY,
    ),
  ]
}

function readStatus(file: string): AcmeStatus | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as AcmeStatus
  } catch {
    return null
  }
}
