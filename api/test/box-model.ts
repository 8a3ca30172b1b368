import { defineModel, np } from '@gatehouse/model'

/** A model with files, each record seen by the account that created it. */
export const boxes = defineModel({
  name: 'Box',
  title: 'Boxes',
  path: 'boxes',
  displayField: 'text',
  access: { list: 'user', get: 'user', create: 'user', update: 'user', delete: 'user' },
  purge: 'user',
  rowScope: { account: 'owner' },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    text: { type: 'text', label: 'Text', required: true, privacy: np },
    owner: { type: 'text', label: 'Owner', writableBy: 'admin', stamp: 'account', privacy: np },
    papers: { type: 'file', label: 'Papers', max: 3, privacy: np },
  },
})
