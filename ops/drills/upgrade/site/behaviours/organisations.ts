import { extendBehaviour } from '@gatehouse/api/behaviour'
import { organisations } from '../models/organisations.ts'

export const organisationBehaviour = extendBehaviour(organisations, {
  validate: ({ record: { xCustomerNumber } }) =>
    xCustomerNumber && !/^C-\d+$/.test(xCustomerNumber)
      ? [{ field: 'xCustomerNumber', message: 'A customer number looks like C-1042.' }]
      : [],
  actions: {
    async register({ record, input, records }) {
      await records(organisations).update(record.id, { xCustomerNumber: `C-${input.number}` })
    },
  },
})
