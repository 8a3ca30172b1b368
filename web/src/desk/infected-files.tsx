import { Link } from 'react-router'
import { systemMessages } from '#messages/system.ts'
import { Icon } from '#ui/icon.tsx'
import type { FilesState } from './files-fact.tsx'

export type InfectedFiles = Pick<FilesState, 'infected' | 'infectedIn'>

/** Attached files in which the scanner found something later: nobody can open them, and somebody must take them out. */
export function InfectedFilesAlert({ files }: { files: InfectedFiles | null }) {
  if (!files || files.infected === 0) return null
  return (
    <div className="note danger desk-alert" role="alert">
      <Icon name="exclamation-triangle-fill" />
      <div>
        <strong>{systemMessages.infected(files.infected)}</strong>
        <InfectedRecords records={files.infectedIn} />
      </div>
    </div>
  )
}

export const InfectedRecords = ({ records }: { records: InfectedFiles['infectedIn'] }) => (
  <ul>
    {records.map(({ model, id }) => (
      <li key={id}>
        <Link to={`/${model}/${id}`}>
          {model} {id}
        </Link>
      </li>
    ))}
  </ul>
)
