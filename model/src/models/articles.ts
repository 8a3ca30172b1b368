import { defineModel } from '#definition/model.ts'
import { choices } from '#definition/options.ts'
import { np } from '#definition/privacy.ts'
import { slug } from './slug.ts'

/** Public announcements and guides. Deliberately without an author, so that no personal data is stored. */
export const articles = defineModel({
  name: 'Article',
  title: 'Articles',
  path: 'articles',
  displayField: 'title',
  icon: 'journal-text',
  pages: { kind: 'reading', by: 'slug' },
  summary: ['kind', 'summary'],
  list: {
    columns: ['title', 'kind', 'service', 'published', 'publishedAt', 'expiresOn', 'pinned'],
    phone: ['title', 'kind', 'publishedAt'],
    reader: ['title', 'kind', 'summary', 'publishedAt'],
    empty: 'No articles yet.',
  },
  glance: [
    { field: 'published' },
    { field: 'publishedAt' },
    { field: 'expiresOn' },
    { field: 'startsAt' },
  ],
  sections: [
    {
      title: 'Article',
      fields: ['title', 'kind', 'summary', 'body', 'service', 'tags', 'sourceUrl'],
    },
    {
      title: 'Publication',
      fields: ['slug', 'published', 'publishedAt', 'expiresOn', 'pinned', 'startsAt'],
    },
  ],
  access: { list: 'public', get: 'public', create: 'admin', update: 'admin', delete: 'admin' },
  publicFilter: {
    all: [
      ['published', 'eq', true],
      {
        any: [
          ['expiresOn', 'empty', true],
          ['expiresOn', 'gte', '@today'],
        ],
      },
    ],
  },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    title: {
      type: 'text',
      label: 'Title',
      required: true,
      sortable: true,
      searchable: true,
      privacy: np,
    },
    slug,
    kind: {
      type: 'select',
      label: 'Kind',
      options: choices('Announcement', 'Maintenance', 'Advisory', 'Guide'),
      required: true,
      sortable: true,
      privacy: np,
    },
    summary: { type: 'text', label: 'Summary', maxLength: 200, searchable: true, privacy: np },
    body: { type: 'markdown', label: 'Body', required: true, searchable: true, privacy: np },
    service: {
      type: 'relation',
      label: 'Service',
      to: 'services',
      onDelete: 'unlink',
      privacy: np,
    },
    startsAt: {
      type: 'datetime',
      label: 'Starts',
      help: 'Start of the maintenance window.',
      sortable: true,
      privacy: np,
    },
    // It also decides whether the article is public.
    expiresOn: { type: 'date', label: 'Expires on', writableBy: 'owner', privacy: np },
    pinned: { type: 'boolean', label: 'Pinned', default: false, privacy: np },
    published: {
      type: 'boolean',
      label: 'Published',
      default: false,
      writableBy: 'owner',
      privacy: np,
    },
    publishedAt: { type: 'datetime', label: 'Published at', sortable: true, privacy: np },
    tags: { type: 'multiselect', label: 'Tags', free: true, privacy: np },
    sourceUrl: { type: 'url', label: 'Source', privacy: np },
  },
})
