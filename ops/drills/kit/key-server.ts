import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

const ISSUER = 'https://idp.example.test/realms/gatehouse'
const TOKEN_LIFE = '2h'
/** With a second factor, which staff need. */
const SIGNED_IN = { acr: 'fresh' }
const now = () => Math.floor(Date.now() / 1000)

export type Person = { sub: string; name: string; role: 'user' | 'admin'; owner?: boolean }

export async function startKeyServer() {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const key = { ...(await exportJWK(publicKey)), kid: 'drill', alg: 'RS256', use: 'sig' }
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [key] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    env: { OIDC_ISSUER: ISSUER, OIDC_JWKS_URI: `http://127.0.0.1:${port}/certs` },
    tokenOf: (person: Person) =>
      new SignJWT({ azp: 'gatehouse-web', ...SIGNED_IN, auth_time: now(), ...person })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'drill' })
        .setIssuer(ISSUER)
        .setAudience('gatehouse-api')
        .setIssuedAt()
        .setExpirationTime(TOKEN_LIFE)
        .sign(privateKey),
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
