import { UserManager } from 'oidc-client-ts'

// Runs in the hidden iframe: posts the provider's answer to the parent page (same origin only).
void new UserManager({
  authority: 'unused',
  client_id: 'unused',
  redirect_uri: 'unused',
}).signinSilentCallback()
