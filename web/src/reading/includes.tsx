import { servicesMessages } from '#messages/services.ts'
import { TopicIcon } from '#ui/topic-icon.tsx'

export const Includes = ({ parts }: { parts: readonly string[] | null }) =>
  parts &&
  parts.length > 0 && (
    <ul className="includes" aria-label={servicesMessages.includes}>
      {parts.map((part) => (
        <li key={part}>
          <TopicIcon name="check2" /> {part}
        </li>
      ))}
    </ul>
  )
