import { defineModel, np, type Field, type Model } from '@gatehouse/model'

/** A model of a site, for tests of several releases on one database: each has its own fields besides the title. */
export const jobModel = (fields: Record<string, Field>) =>
  defineModel({
    name: 'Job',
    title: 'Jobs',
    path: 'jobs',
    displayField: 'title',
    access: { list: 'admin', get: 'admin', create: 'admin', update: 'admin', delete: 'admin' },
    privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
    fields: {
      title: { type: 'text', label: 'Title', required: true, unique: true, privacy: np },
      ...fields,
    },
  }) as Model
