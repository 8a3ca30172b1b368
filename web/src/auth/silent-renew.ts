import { UserManager } from 'oidc-client-ts'

// Runs in the hidden iframe and in the step-up popup: posts the provider's response to the opening page (same origin only).
const client = new UserManager({
  authority: 'unused',
  client_id: 'unused',
  redirect_uri: 'unused',
})
void (window.parent === window ? client.signinPopupCallback() : client.signinSilentCallback())
