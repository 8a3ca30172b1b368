import { EXPECTED } from '#messages/requests.ts'
import { Tone } from '#ui/tone.tsx'

/** A ticket's status: what it means is in the words of requests. */
export const StatusBadge = ({ status }: { status: string }) => (
  <Tone tone={EXPECTED[status]?.kind ?? 'neutral'} word={status} isPlain={false} />
)
