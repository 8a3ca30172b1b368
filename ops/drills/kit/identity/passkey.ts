import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'

/** User present, user verified, attested credential data. */
const FLAGS = 0x45
const ES256 = -7

/** Form fields a browser sends to register a new passkey on this page, without attestation (WebAuthn, level 2). */
export function registerPasskey(body: string, origin: string) {
  const id = randomBytes(32)
  const clientData = JSON.stringify({
    type: 'webauthn.create',
    challenge: valueIn(body, 'challenge'),
    origin,
    crossOrigin: false,
  })
  const attestation = Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    bytes(authenticatorData(valueIn(body, 'rpId') || new URL(origin).hostname, id)),
  ])
  return {
    clientDataJSON: Buffer.from(clientData).toString('base64url'),
    attestationObject: attestation.toString('base64url'),
    publicKeyCredentialId: id.toString('base64url'),
    authenticatorLabel: 'drill',
    transports: 'internal',
    authenticatorAttachment: 'platform',
  }
}

const valueIn = (body: string, name: string) =>
  new RegExp(`${name}\\s*:\\s*"([^"]*)"`).exec(body)?.[1] ?? ''

function authenticatorData(rpId: string, id: Buffer) {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key = Buffer.concat([
    // A map of five: key type EC2, algorithm, curve P-256, x, y.
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x20 - 1 - ES256, 0x20, 0x01, 0x21]),
    bytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    bytes(Buffer.from(y, 'base64url')),
  ])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  return Buffer.concat([
    createHash('sha256').update(rpId).digest(),
    Buffer.from([FLAGS]),
    Buffer.alloc(4),
    Buffer.alloc(16),
    length,
    id,
    key,
  ])
}

const text = (value: string) =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])

const bytes = (value: Buffer) =>
  Buffer.concat([Buffer.from([0x58 + Number(value.length > 255), ...sizeOf(value)]), value])

const sizeOf = ({ length }: Buffer) => (length > 255 ? [length >> 8, length & 255] : [length])
