import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** One that signs itself, for a name, for some days. */
export function makeCertificate(directory: string, name: string) {
  const [file, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')]
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '20']
  execFileSync('openssl', ['req', ...kind, ...subject, '-out', file, '-keyout', key], {
    stdio: 'ignore',
  })
  return { file, key }
}
