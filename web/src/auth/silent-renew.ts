import { UserManager } from 'oidc-client-ts'

// Runs inside the hidden frame: hands the provider's answer to the page around it (same origin only).
void new UserManager({
  authority: 'unused',
  client_id: 'unused',
  redirect_uri: 'unused',
}).signinSilentCallback()
