import { extendModel } from '@gatehouse/model'
import { tickets as product } from '@gatehouse/model/models'

/** Shows the type of a request instead of its priority. */
export const tickets = extendModel(product, {
  list: {
    ...product.list,
    columns: ['number', 'subject', 'contactType', 'status', 'organisation', 'dueAt'],
  },
})
