/** Settings of the deployment, served by the front proxy as /config.json: one build for every deployment. */
export type SiteConfig = {
  authority: string
  clientId: string
  /** Where the way back is kept: in the address as specified, or in the OIDC state for providers that match it exactly. */
  returnUrl?: 'query' | 'state'
  /** Whether the API counts the role admin with a second factor only. */
  adminMfa?: 'on' | 'off'
  /** What the provider calls a sign-in with a second factor, and one from just now. */
  acrMfa?: string
  acrFresh?: string
  /** Path to the claim that is true for owners, space-separated; empty: every admin is one. */
  ownerPath?: string
  /** Whether the API has what the product's own pages need; without it there are only the pages of the specification. */
  productPages?: boolean
}

const TIMEOUT_MS = 8_000

let config: SiteConfig | null = null
let reading: Promise<SiteConfig> | null = null

/** Null until it has been read. */
export const knownConfig = () => config

export const adoptConfig = (given: SiteConfig) => (config = given)

/** Read once; after a failure the next caller tries again. */
export async function readConfig(): Promise<SiteConfig> {
  if (config) return config
  reading ??= fetchConfig().finally(() => (reading = null))
  return adoptConfig(await reading)
}

async function fetchConfig(): Promise<SiteConfig> {
  const response = await fetch('/config.json', { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`config.json: ${response.status}`)
  return response.json()
}

/** For menu and links; null until the settings have been read. */
export const hasProductPages = () => config && config.productPages === true
