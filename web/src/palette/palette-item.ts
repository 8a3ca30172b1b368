import type { ModelAction } from '#records/actions/model-actions.ts'

/** A line of the palette: a record, something to do, or a page. */
export type PaletteItem = {
  key: string
  label: string
  /** Of the palette's icons, or the model's own. */
  icon: string | { model: string | undefined }
  /** Beside the label. */
  detail?: string
  /** At the end of the line. */
  end?: string
  /** Found by these words too. */
  alias?: string
} & ({ to: string } | { action: ModelAction } | { run: () => void; staysOpen?: true })

export type PaletteGroup = { title: string; items: PaletteItem[] }

const GROUP_MAX = 8

/** Items that contain every word, by default as many as a group shows. */
export function matchItems(items: PaletteItem[], text: string, isWhole = false) {
  const words = fold(text).split(/\s+/).filter(Boolean)
  const found = items.filter(({ label, alias = '' }) => {
    const name = fold(`${label} ${alias}`)
    return words.every((word) => name.includes(word))
  })
  return isWhole ? found : found.slice(0, GROUP_MAX)
}

/** Ignores case and accents. */
export const fold = (text: string) =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()
