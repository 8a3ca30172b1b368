import type { Model } from '#definition/model.ts'
import { accounts } from './accounts.ts'
import { articles } from './articles.ts'
import { assets } from './assets.ts'
import { contacts } from './contacts.ts'
import { contracts } from './contracts.ts'
import { incidents } from './incidents.ts'
import { messages } from './messages.ts'
import { organisations } from './organisations.ts'
import { privacyrequests } from './privacyrequests.ts'
import { services } from './services.ts'
import { tickets } from './tickets.ts'

export { CLOSED_STATUSES, OPEN_STATUSES } from './ticket-actions.ts'
export { claims, type ClaimName } from './claims.ts'
export { kitchensink } from './kitchensink.ts'
export {
  accounts,
  articles,
  assets,
  contacts,
  contracts,
  incidents,
  messages,
  organisations,
  privacyrequests,
  services,
  tickets,
}

/** In menu order. */
const PRODUCT = [
  organisations,
  contacts,
  services,
  contracts,
  tickets,
  messages,
  assets,
  incidents,
  articles,
  privacyrequests,
  accounts,
] as const

/** All product models, without their literal types. */
export const models: Model[] = [...PRODUCT]

/** All product models by path, with field types: `RecordFor<Models['tickets'], 'user'>`. */
export type Models = { [M in (typeof PRODUCT)[number] as M['path']]: M }
