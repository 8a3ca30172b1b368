import { IconOf, readIcons } from '#ui/icon.tsx'

const paths = readIcons(
  import.meta.glob<string[]>(
    './{search,chat-left-text,activity,person-badge,shield-lock,clock-history}.svg',
    {
      base: '/../node_modules/bootstrap-icons/icons/',
      query: '?paths',
      import: 'default',
      eager: true,
    },
  ),
)

export const StaffIcon = ({ name }: { name: string }) => <IconOf paths={paths.get(name)} />
