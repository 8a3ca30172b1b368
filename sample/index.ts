import { defineSite } from '@gatehouse/model'
import { ticketBehaviour } from './behaviours/tickets.ts'
import { tickets } from './models/tickets.ts'

/** Models of your own, what you add to the product's, and what they do: README.md, "Add a model". */
export const site = defineSite({
  models: [],
  extensions: [tickets],
  behaviours: [ticketBehaviour],
})
