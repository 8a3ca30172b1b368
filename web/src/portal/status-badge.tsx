import { Tone } from '#ui/tone.tsx'

const TONES: Record<string, string> = {
  New: 'info',
  Open: 'info',
  'Waiting for client': 'warning',
  Resolved: 'success',
}

export const StatusBadge = ({ status }: { status: string }) => (
  <Tone tone={TONES[status] ?? 'neutral'} word={status} isPlain={false} />
)
