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
  pattern: SLUG,
  privacy: np,
} as const satisfies Field
