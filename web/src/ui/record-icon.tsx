import { readIcons, IconOf } from './icon.tsx'

const paths = readIcons(
  import.meta.glob<string[]>(
    './{arrow-up,arrow-down,trash3,search,three-dots,plus,layout-three-columns}.svg',
    {
      base: '/../node_modules/bootstrap-icons/icons/',
      query: '?paths',
      import: 'default',
      eager: true,
    },
  ),
)

export const RecordIcon = ({ name }: { name: string }) => <IconOf paths={paths.get(name)} />
