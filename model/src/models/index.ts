import type { Model } from '#model.ts'
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

export { kitchensink } from './kitchensink.ts'

/** Every model of the product, in the order of the menu. */
export const models: Model[] = [
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
]
