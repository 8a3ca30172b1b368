import { useState } from 'react'
import { useAuth } from 'react-oidc-context'
import { toVisitor } from '#auth/auth.ts'
import { hasProductPages } from '#auth/read-config.ts'
import { areLettersOn, switchLetters } from '#base/letter-shortcuts.ts'
import { paletteMessages } from '#messages/palette.ts'
import { CloseButton, Dialog } from '#ui/overlay/dialog.tsx'
import { keyNames } from './key-names.ts'

const TITLE_ID = 'shortcuts-title'

type Shortcut = { does: string; keys: string[] }
type Section = { title: string; shortcuts: Shortcut[] }

export function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const isStaff = toVisitor(useAuth().user)?.role === 'admin'
  return (
    <Dialog className="modal shortcut-sheet" titleId={TITLE_ID} isOpen={isOpen} onClose={onClose}>
      <div className="modal-dialog">
        <div className="modal-header">
          <h2 id={TITLE_ID}>{paletteMessages.shortcuts}</h2>
          <CloseButton onClose={onClose} />
        </div>
        <div className="modal-body">
          {sectionsFor(isStaff && hasProductPages() === true).map(({ title, shortcuts }) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl>
                {shortcuts.map(({ does, keys }) => (
                  <div key={does}>
                    <dt>{does}</dt>
                    <dd>
                      {keys.map((key) => (
                        <kbd key={key}>{key}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <div className="modal-footer">
          <LetterSwitch />
        </div>
      </div>
    </Dialog>
  )
}

/** Only keys that work for this person. */
const sectionsFor = (hasDesk: boolean): Section[] => [
  {
    title: paletteMessages.everywhere,
    shortcuts: [
      { does: paletteMessages.title, keys: [keyNames.command, 'K'] },
      ...(hasDesk ? [{ does: paletteMessages.toDesk, keys: ['g', 'd'] }] : []),
      { does: paletteMessages.toToast, keys: ['F6'] },
      { does: paletteMessages.thisSheet, keys: ['?'] },
      { does: paletteMessages.close, keys: [keyNames.escape] },
    ],
  },
  {
    title: paletteMessages.lists,
    shortcuts: [{ does: paletteMessages.searchList, keys: ['/'] }],
  },
  {
    title: paletteMessages.records,
    shortcuts: [
      { does: paletteMessages.editProperty, keys: ['F2'] },
      { does: paletteMessages.saveLongText, keys: [keyNames.command, keyNames.enter] },
      { does: paletteMessages.saveForm, keys: [keyNames.command, 'S'] },
    ],
  },
]

function LetterSwitch() {
  const [isOn, setOn] = useState(areLettersOn)
  return (
    <>
      <div className="form-check">
        <input
          className="switch"
          id="letter-shortcuts"
          type="checkbox"
          role="switch"
          aria-describedby="letter-shortcuts-note"
          checked={isOn}
          aria-checked={isOn}
          onChange={({ target }) => {
            switchLetters(target.checked)
            setOn(target.checked)
          }}
        />
        <label htmlFor="letter-shortcuts">{paletteMessages.letters}</label>
      </div>
      <span id="letter-shortcuts-note" className="muted">
        {paletteMessages.lettersNote}
      </span>
    </>
  )
}
