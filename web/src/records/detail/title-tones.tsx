import type { DefinitionField } from '#data/field.ts'
import type { RecordData } from '#records/shared/loader-errors.ts'
import { Tone } from '#ui/tone.tsx'

const BADGES_MAX = 2

/** Badges of the title: the first two fields with tones. */
export function TitleTones({ fields, record }: { fields: DefinitionField[]; record: RecordData }) {
  const badges = fields.flatMap(({ name, options }) => {
    const option = options?.find(({ value }) => value === record[name])
    return option?.tone ? [{ name, tone: option.tone, word: option.label ?? option.value }] : []
  })
  return badges
    .slice(0, BADGES_MAX)
    .map(({ name, tone, word }) => <Tone key={name} tone={tone} word={word} isPlain={false} />)
}
