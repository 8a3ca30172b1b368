import { icons } from '#base/site.ts'

/** Decorative: the text beside it has the meaning. */
export const PaletteIcon = ({ name }: { name: string }) => (
  <svg className="bi" aria-hidden="true">
    <use href={`${icons.palette}#${name}`} />
  </svg>
)
