import { readIcons, IconOf } from './icon.tsx'

const paths = readIcons(
  import.meta.glob<string[]>(
    '/../node_modules/bootstrap-icons/icons/{arrow-up,pencil,trash3,search,copy,link-45deg,clock-history,three-dots,arrow-counterclockwise,arrow-down,plus,layout-three-columns,eye}.svg',
    { query: '?paths', import: 'default', eager: true },
  ),
)

/** Icons of record pages only. */
export const RecordIcon = ({ name }: { name: string }) => <IconOf paths={paths.get(name)} />
