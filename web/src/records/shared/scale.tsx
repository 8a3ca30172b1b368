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
