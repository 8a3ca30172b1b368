import { paletteMessages } from '#messages/palette.ts'
import { keyNames } from './key-names.ts'

/** At the foot, on screens with room for it. */
export function KeyHints({ hasNumbers }: { hasNumbers: boolean }) {
  const { hints } = paletteMessages
  const shown: [keys: string[], does: string][] = [
    [['↑', '↓'], hints.choose],
    [[keyNames.enter], hints.open],
    [[keyNames.command, keyNames.enter], hints.newTab],
    [['>'], hints.actions],
    ...(hasNumbers ? [[['#'], hints.number] satisfies [string[], string]] : []),
  ]
  return (
    <div className="palette-hints">
      {shown.map(([keys, does]) => (
        <span key={does}>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
          {does}
        </span>
      ))}
    </div>
  )
}
