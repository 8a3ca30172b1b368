import { IconOf, readIcons } from '#ui/icon.tsx'

const paths = readIcons(
  import.meta.glob<string[]>(
    './{hdd-stack,arrow-left-right,buildings,people,shield-exclamation,file-earmark-text,journal-text,life-preserver,grid,person-lock,collection}.svg',
    {
      base: '/../node_modules/bootstrap-icons/icons/',
      query: '?paths',
      import: 'default',
      eager: true,
    },
  ),
)

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
  <IconOf paths={paths.get(ICONS[path] ?? 'collection')} />
)
