/** Bootstrap icons of every page as inline SVG paths, without an icon font. Record pages have theirs in record-icon.tsx. */
const files = import.meta.glob<string[]>(
  './{sun,moon-stars,circle-half,list,chevron-down,x-lg,arrow-up,check-circle-fill,x-octagon-fill,exclamation-triangle-fill,info-circle-fill,telephone}.svg',
  {
    base: '/../node_modules/bootstrap-icons/icons/',
    query: '?paths',
    import: 'default',
    eager: true,
  },
)

const paths = readIcons(files)

/** Decorative: the text beside it has the meaning. */
export const Icon = ({ name }: { name: string }) => <IconOf paths={paths.get(name)} />

export const IconOf = ({ paths }: { paths: string[] | undefined }) => (
  <svg className="bi" viewBox="0 0 16 16" aria-hidden="true">
    {paths?.map((path) => (
      <path key={path} fillRule="evenodd" d={path} />
    ))}
  </svg>
)

/** Icon paths by name, extracted at build time. */
export function readIcons(files: Record<string, string[]>) {
  return new Map(
    Object.entries(files).map(([file, paths]) => [
      file.slice(file.lastIndexOf('/') + 1, -'.svg'.length),
      paths,
    ]),
  )
}
