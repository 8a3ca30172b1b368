/** Settings of the deployment, served by the front proxy as /config.json: one build for every deployment. */
export type SiteConfig = {
  authority: string
  clientId: string
  /** Location of the returnUrl: in the URL as specified, or in the OIDC state for providers that match redirect URIs exactly. */
  returnUrl?: 'query' | 'state'
  /** Whether the API grants the role admin only with a second factor. */
  adminMfa?: 'on' | 'off'
  /** The provider's acr values for a second factor and for a recent sign-in. */
  acrMfa?: string
  acrFresh?: string
  /** Path to the claim that is true for owners, space-separated; empty: every admin is one. */
  ownerPath?: string
  /** Whether the API supports the product's own pages; otherwise only pages of the specification exist. */
  productPages?: boolean
}

const TIMEOUT_MS = 8_000

let config: SiteConfig | null = null
let reading: Promise<SiteConfig> | null = null

/** Null until loaded. */
export const cachedConfig = () => config

export const setConfig = (given: SiteConfig) => (config = given)

/** Loaded once; a failure is retried by the next caller. */
export async function readConfig(): Promise<SiteConfig> {
  if (config) return config
  reading ??= fetchConfig().finally(() => (reading = null))
  return setConfig(await reading)
}

async function fetchConfig(): Promise<SiteConfig> {
  const response = await fetch('/config.json', { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`config.json: ${response.status}`)
  return response.json()
}

/** For menu and links; null until config.json is loaded. */
export const hasProductPages = () => config && config.productPages === true
