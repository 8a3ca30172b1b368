import { draftKey } from '#base/drafts.ts'
import type { Definition } from '#data/definitions.ts'
import { readDraft } from '#forms/record-draft.ts'
import type { RecordData } from '#records/shared/loader-errors.ts'

/** The address of a property's draft. */
export const quickAddress = ({ path }: Definition, record: RecordData, name: string) =>
  `${path}/${String(record['id'])}?field=${name}`

export const hasQuickDraft = (
  sub: string,
  definition: Definition,
  record: RecordData,
  name: string,
) =>
  readDraft(draftKey({ kind: 'record', sub, about: quickAddress(definition, record, name) })) !==
  null
