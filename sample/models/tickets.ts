import { extendModel } from '@gatehouse/model'
import { tickets as product } from '@gatehouse/model/models'

/** Clients can be asked how a closed request went. */
export const tickets = extendModel(product, {
  actions: {
    survey: {
      label: 'Ask for feedback',
      access: 'admin',
      when: { all: [['status', 'eq', 'Closed']] },
      confirm: 'The client gets an email. It can’t be unsent.',
      done: 'Feedback requested.',
    },
  },
})
