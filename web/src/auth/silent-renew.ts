import { UserManager } from 'oidc-client-ts'

// Runs in the hidden iframe, and in the window that confirms an identity: posts the provider's answer to the page that
// asked (same origin only).
const client = new UserManager({
  authority: 'unused',
  client_id: 'unused',
  redirect_uri: 'unused',
})
void (window.parent === window ? client.signinPopupCallback() : client.signinSilentCallback())
