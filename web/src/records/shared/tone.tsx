import type { DefinitionField } from '#data/field.ts'
import { Tone } from '#ui/tone.tsx'
import type { RecordData } from './loader-errors.ts'

export function Scale({ step, of, word }: { step: number; of: number; word: string }) {
  // The design has four levels; other lengths are mapped onto them.
  const colour = Math.ceil(((step + 1) / of) * 4)
  return (
    <span className={COLOURS[colour] ?? 'sev'}>
      <span className="lv" aria-hidden="true">
        {Array.from({ length: of }, (_, place) => (
          <i key={place} className={place <= step ? 'f' : undefined} />
        ))}
      </span>
      {word}
    </span>
  )
}

const COLOURS = ['sev', 'sev s1', 'sev s2', 'sev s3', 'sev s4']

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
