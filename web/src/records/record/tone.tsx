import type { DefinitionField } from '#data/field.ts'
import { Tone } from '#ui/tone.tsx'
import type { RecordData } from './loading.ts'

/** A step of a scale as filled bars: the more, the worse. */
export function Scale({ step, of, word }: { step: number; of: number; word: string }) {
  // The design has four colours; a scale of another length is led onto them.
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

/** What a record's title says of its state: the first of its fields whose values mean something. */
export function TitleTone({ fields, record }: { fields: DefinitionField[]; record: RecordData }) {
  for (const field of fields) {
    const option = field.options?.find(({ value }) => value === record[field.name])
    if (option?.tone)
      return <Tone tone={option.tone} word={option.label ?? option.value} isPlain={false} />
  }
  return null
}
