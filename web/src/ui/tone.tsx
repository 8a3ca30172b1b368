import { RecordIcon } from './record-icon.tsx'

const ICONS: Record<string, string> = {
  danger: 'exclamation-circle-fill',
  warning: 'exclamation-triangle-fill',
  info: 'info-circle-fill',
  success: 'check-circle-fill',
}

/** A value with icon and colour, as colour alone is not accessible. */
export function Tone({ tone, word, isPlain }: { tone: string; word: string; isPlain: boolean }) {
  return (
    <span className={`badge-s ${tone}${isPlain ? ' plain' : ''}`}>
      <RecordIcon name={ICONS[tone] ?? 'check2'} />
      {word}
    </span>
  )
}
