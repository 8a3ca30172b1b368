import { IconOf, readIcons } from '#ui/icon.tsx'

const paths = readIcons(
  import.meta.glob<string[]>(
    './{pencil,trash3,copy,link-45deg,clock-history,arrow-counterclockwise,eye}.svg',
    {
      base: '/../node_modules/bootstrap-icons/icons/',
      query: '?paths',
      import: 'default',
      eager: true,
    },
  ),
)

/** Icons of record actions, loaded with the menu. */
export const ActionIcon = ({ name }: { name: string }) => <IconOf paths={paths.get(name)} />
