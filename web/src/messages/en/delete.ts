import { formatCount, plural } from '#base/format.ts'
import { inSentence } from './in-sentence.ts'

/** Records of another model that link here: their number, and the model's singular and plural names. */
type Referring = { count: number; exact: boolean; name: string; title: string }

const amount = ({ count, exact, name, title }: Referring) =>
  exact && count === 1
    ? `1 ${inSentence(name)}`
    : `${formatCount(count, exact)} ${inSentence(title)}`

/** Before a record goes to the trash or is deleted permanently. */
export const deleteMessages = {
  purging: 'Deleting permanently...',
  purgeQuestion: (x: string) => `Permanently delete “${x}”?`,
  purgeWarning: 'The record and its history will be permanently deleted. This can’t be undone.',
  purgeConfirm: (x: string) => `Type ${x} to confirm`,
  purged: (x: string) => `${x} permanently deleted.`,

  depends: 'Related records',
  blocks: (referring: Referring, label: string) =>
    plural(referring.count, {
      one: `Can’t be deleted yet: ${amount(referring)} uses it as its ${inSentence(label)}. Reassign or delete it first.`,
      other: `Can’t be deleted yet: ${amount(referring)} use it as their ${inSentence(label)}. Reassign or delete them first.`,
    }),
  unlinks: (referring: Referring, label: string) =>
    plural(referring.count, {
      one: `${amount(referring)} will lose its ${inSentence(label)}. It isn’t deleted.`,
      other: `${amount(referring)} will lose their ${inSentence(label)}. They aren’t deleted.`,
    }),
  goesAlong: (referring: Referring) => `${amount(referring)} will move to the trash too.`,
  looking: 'Checking…',
  dependsUnknown:
    'Couldn’t check for related records. If others need this one, deleting it will be refused.',
  nothingDepends: 'No other record links to this one.',
  deleteQuestion: (name: string) => `Delete this ${inSentence(name)}?`,
}
