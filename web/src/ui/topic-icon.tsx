import { readIcons, IconOf } from './icon.tsx'

const paths = readIcons(
  import.meta.glob<string[]>(
    './{life-preserver,person-lock,shield-check,boxes,bug,code-square,cloud,clouds,arrow-repeat,hdd-network,laptop,people,clipboard-check,activity,git,file-earmark-code,box-arrow-up-right,arrow-right,file-earmark-arrow-down,check2,calendar-event}.svg',
    {
      base: '/../node_modules/bootstrap-icons/icons/',
      query: '?paths',
      import: 'default',
      eager: true,
    },
  ),
)

/** Icons of public pages; unknown names get a generic one. */
export const TopicIcon = ({ name }: { name: string | null }) => (
  <IconOf paths={paths.get(name ?? '') ?? paths.get('clipboard-check')} />
)
