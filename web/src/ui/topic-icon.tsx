import { readIcons, IconOf } from './icon.tsx'

const paths = readIcons(
  import.meta.glob<string[]>(
    '/../node_modules/bootstrap-icons/icons/{life-preserver,person-lock,shield-check,boxes,bug,code-square,cloud,clouds,arrow-repeat,hdd-network,laptop,people,clipboard-check,activity,git,file-earmark-code}.svg',
    { query: '?paths', import: 'default', eager: true },
  ),
)

/** Icons of expertise and services. */
export const TopicIcon = ({ name }: { name: string | null }) => (
  <IconOf paths={paths.get(name ?? '') ?? paths.get('clipboard-check')} />
)
