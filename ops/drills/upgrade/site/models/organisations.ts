import { extendModel, np } from '@gatehouse/model'
import { organisations as product } from '@gatehouse/model/models'

export const organisations = extendModel(product, {
  fields: {
    xCustomerNumber: {
      type: 'text',
      label: 'Customer number',
      unique: true,
      searchable: true,
      visibleTo: 'admin',
      privacy: np,
    },
  },
  actions: {
    register: {
      label: 'Register',
      access: 'admin',
      when: { all: [['xCustomerNumber', 'empty', true]] },
      fields: { number: { type: 'integer', label: 'Number', required: true, privacy: np } },
      done: 'Registered.',
    },
  },
})
