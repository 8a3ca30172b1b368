import { defineSite } from '@gatehouse/model'

/** Models of your own, what you add to the product's, and what they do: README.md, "Add a model". */
export const site = defineSite({ models: [], extensions: [], behaviours: [] })
