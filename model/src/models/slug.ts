import { SLUG } from '#definition/text-patterns.ts'
import type { Field } from '#definition/fields.ts'
import { np } from '#definition/privacy.ts'

/** The last segment of a public page's URL. */
export const slug = {
  type: 'text',
  label: 'Slug',
  help: 'Part of the page’s address: lower-case letters, digits and hyphens.',
  required: true,
  unique: true,
  maxLength: 80,
  // `/services/create` is the form of a new one.
  pattern: `^(?!create$)${SLUG.slice(1)}`,
  privacy: np,
} as const satisfies Field
