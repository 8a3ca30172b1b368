import { RecordIcon } from './record-icon.tsx'

/** The icon that a definition names; without one, a generic icon. */
export const ModelIcon = ({ name = 'collection' }: { name: string | undefined }) => (
  <RecordIcon name={name} />
)
