import { RecordIcon } from './record-icon.tsx'

/** Icons of our own models; others get a generic one. */
const ICONS: Partial<Record<string, string>> = {
  assets: 'hdd-stack',
  organisations: 'buildings',
  contacts: 'people',
  incidents: 'shield-exclamation',
  contracts: 'file-earmark-text',
  articles: 'journal-text',
  tickets: 'life-preserver',
  services: 'grid',
  privacyrequests: 'person-lock',
}

export const ModelIcon = ({ path }: { path: string }) => (
  <RecordIcon name={ICONS[path] ?? 'collection'} />
)
