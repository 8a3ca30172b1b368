import { SLUG } from '#characters.ts'
import type { Field } from '#fields.ts'
import { np } from '#privacy.ts'

/** The last part of a public page's address. */
export const slug: Field = {
  type: 'text',
  label: 'Slug',
  help: 'Part of the page’s address: lower-case letters, digits and hyphens.',
  required: true,
  unique: true,
  maxLength: 80,
  pattern: SLUG,
  privacy: np,
}
