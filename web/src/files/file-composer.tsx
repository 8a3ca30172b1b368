import { useId, useRef, type ReactNode } from 'react'
import { fileMessages } from '#messages/files.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import { ChosenFiles } from './chosen-files.tsx'
import { CameraButton, FileChips, FileNews } from './file-chips.tsx'
import { MAX_BYTES, useFileInput, type FileInputProps } from './use-file-input.ts'

type Props = FileInputProps & {
  /** The text that the files go with: files dropped on it or pasted into it are attached. */
  children: ReactNode
  /** Buttons before and after the one that chooses files. */
  send: ReactNode
  more?: ReactNode
  /** What files are attached to, for screen readers: a page may have several. */
  toThis: string
}

/** A message with files. */
export function FileComposer({ children, send, more, toThis, ...props }: Props) {
  const { max, accept, maxBytes = MAX_BYTES } = props
  const input = useRef<HTMLInputElement>(null)
  const state = useFileInput(props, input)
  const limits = useId()
  return (
    // Dropping and pasting add to the button, which works by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={`file-composer full${state.isOver ? ' over' : ''}`} {...state.handlers}>
      {children}
      <FileChips state={state} />
      <FileNews state={state} />
      <div className="submit">
        {send}
        <label className="btn btn-quiet attach" hidden={state.isFull}>
          <ChosenFiles input={input} field={props} state={state} limits={limits} />
          <RecordIcon name="paperclip" />
          <span>
            {fileMessages.attach(max)} <span className="visually-hidden">{toThis}</span>
          </span>
        </label>
        {!state.isFull && <CameraButton state={state} toThis={toThis} />}
        <span className="visually-hidden" id={limits}>
          {fileMessages.limits(max, maxBytes, accept)}
        </span>
        {more}
      </div>
    </div>
  )
}
