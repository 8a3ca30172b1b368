import type { ComposeEnvironment } from './compose-requests.ts'
import type { Result } from './kit/results.ts'
import { signIn } from './kit/identity/sign-in.ts'
import { newApp } from './kit/identity/totp.ts'

const PERSON = { username: 'erin', password: 'a-password-of-her-own' }
/** Authenticator app; the first sign-in sets it up. */
const APP = newApp()
export const TICKET = {
  fullName: 'Erin',
  email: 'erin@gatehouse.test',
  subject: 'Kept',
  message: 'Hello',
}

/** Creates an account as the operator's guide says, then signs in from outside. */
export async function asPerson(stage: ComposeEnvironment): Promise<Result[]> {
  const { visit, site } = stage
  makePerson(stage)
  const unknown = await visit(`${site}/api/me`)
  const token = await tokenOf(stage)
  const me = await visit(`${site}/api/me`, { headers: bearer(token) })
  const ticket = await visit(`${site}/api/tickets`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify(TICKET),
  })
  const system = await visit(`${site}/api/system`, { headers: bearer(token) })
  return [
    {
      title: 'rejected without a token',
      isRight: unknown.status === 401,
      figure: String(unknown.status),
    },
    { title: 'signed in from outside', isRight: me.status === 200, figure: me.body },
    {
      title: 'her ticket is created',
      isRight: ticket.status === 201,
      figure: String(ticket.status),
    },
    {
      title: 'an admin’s page is served',
      isRight: system.status === 200,
      figure: String(system.status),
    },
  ]
}

function makePerson({ project, realmSecret }: ComposeEnvironment) {
  const { username, password } = PERSON
  const script = `set -e
    kcadm() { command=$1; shift; /opt/keycloak/bin/kcadm.sh $command "$@" --config /tmp/kcadm; }
    kcadm config credentials --server http://localhost:8080 --realm master --client realm-apply --secret ${realmSecret}
    kcadm create users -r gatehouse -s username=${username} -s enabled=true -s email=${TICKET.email} -s firstName=Erin -s lastName=Erin
    kcadm set-password -r gatehouse --username ${username} --new-password ${password}
    kcadm add-roles -r gatehouse --uusername ${username} --rolename owner`
  const { status, stderr } = project.exec('keycloak', 'sh', '-c', script)
  if (status !== 0) throw new Error(`Failed to create an account in Keycloak: ${stderr}`)
}

export const tokenOf = ({ visit, identity, site }: ComposeEnvironment) =>
  signIn({
    visit,
    issuer: `${identity}/realms/gatehouse`,
    site,
    ...PERSON,
    app: APP,
    more: { acr_values: 'mfa' },
  })

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
