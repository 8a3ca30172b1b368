import { EXPECTED } from '#content/requests.ts'
import { Icon } from '#ui/icon.tsx'

const ICONS: Record<string, string> = {
  info: 'info-circle-fill',
  warning: 'exclamation-triangle-fill',
  success: 'check-circle-fill',
  neutral: 'check2',
}

/** A ticket's status: a word, an icon and a colour, because a colour alone says nothing to many. */
export function StatusBadge({ status }: { status: string }) {
  const kind = EXPECTED[status]?.kind ?? 'neutral'
  return (
    <span className={`badge-s ${kind}`}>
      <Icon name={ICONS[kind] ?? 'check2'} />
      {status}
    </span>
  )
}
