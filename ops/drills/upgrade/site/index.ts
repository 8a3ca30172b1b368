import { defineSite } from '@gatehouse/model'
import { invoiceBehaviour } from './behaviours/invoices.ts'
import { organisationBehaviour } from './behaviours/organisations.ts'
import { invoices } from './models/invoices.ts'
import { organisations } from './models/organisations.ts'
import { tickets } from './models/tickets.ts'

/** The site of `npm run drill -- upgrade` and tools/checks/site.test.ts: a provider who sends invoices. */
export const site = defineSite({
  models: [invoices],
  extensions: [organisations, tickets],
  behaviours: [invoiceBehaviour, organisationBehaviour],
})
