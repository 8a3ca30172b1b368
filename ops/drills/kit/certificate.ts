import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export function createCertificate(directory: string, ...names: string[]) {
  const [file, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')]
  const all = names.map((name) => `DNS:${name}`).join()
  const subject = ['-subj', `/CN=${names[0]}`, '-addext', `subjectAltName=${all}`]
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '20']
  execFileSync('openssl', ['req', ...kind, ...subject, '-out', file, '-keyout', key], {
    stdio: 'ignore',
  })
  return { file, key }
}
