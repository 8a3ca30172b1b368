import { icons } from '#base/site.ts'

/** An icon of record and staff pages, from the file of symbols: web/icon-files.ts. Decorative, as icon.tsx. */
export const RecordIcon = ({ name }: { name: string }) => (
  <svg className="bi" aria-hidden="true">
    <use href={`${icons.record}#${name}`} />
  </svg>
)
