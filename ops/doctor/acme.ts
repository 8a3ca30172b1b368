import { readFileSync } from 'node:fs'
import { failure, ok, warning, type Finding } from './finding.ts'

const HOUR_MS = 3_600_000
/** Renewals are checked twice a day (ops/certbot/renew.sh). */
const AGE_MAX_HOURS = 26

/** First match. Validation errors come before connection errors: the authority could be reached, but not this server. */
const REMEDIES: [RegExp, string][] = [
  [
    /too many|rate ?limit/i,
    'remove the cause, which the doctor named before; certbot tries again after the authority’s limit, an hour or more',
  ],
  [
    /DNS problem|NXDOMAIN|SERVFAIL|no such host|No valid IP|looking up/i,
    'add DNS records (A, AAAA) that lead both host names to this server',
  ],
  [/CAA/, 'allow the authority in the CAA record of the domain, or remove that record'],
  [
    /Fetching http|Invalid response from|during connect|firewall/i,
    'let the internet reach this server on port 80: firewall, router, and no other server behind both host names',
  ],
  [
    /ConnectionError|NewConnectionError|Max retries|timed out|timeout|resolution|CERTIFICATE_VERIFY|SSLError|urn:ietf:params:acme:error:serverInternal|50[0-9]/i,
    'the authority could not be reached or has a fault of its own: let this server connect to ACME_DIRECTORY by https, or wait',
  ],
]
const OTHER_REMEDY = 'read the log of certbot: docker compose logs certbot'

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
        'start its service: docker compose up -d certbot',
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
