import { useId, useRef } from 'react'
import { fileMessages } from '#messages/files.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import { renderMarked } from '#ui/render-marked.tsx'
import { ChosenFiles } from './chosen-files.tsx'
import { CameraButton, FileChips, FileNews } from './file-chips.tsx'
import { MAX_BYTES, useFileInput, type FileInputProps } from './use-file-input.ts'

/** A field of a form: choose, drop or paste files, or take a photo. */
export function FileInput(props: FileInputProps) {
  const { max, accept, maxBytes = MAX_BYTES } = props
  const input = useRef<HTMLInputElement>(null)
  const state = useFileInput(props, input)
  const limits = useId()
  return (
    // Dropping and pasting add to the button, which works by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={`file-input${state.isOver ? ' over' : ''}`} {...state.handlers}>
      <FileChips state={state} />
      <div className="drop" hidden={state.isFull}>
        <RecordIcon name="paperclip" />
        <span>
          {renderMarked(fileMessages.drop(max), (text) => (
            <label className="choose">
              <ChosenFiles input={input} field={props} state={state} limits={limits} />
              {text}
            </label>
          ))}
        </span>
        <CameraButton state={state} />
        <p className="hint" id={limits}>
          {fileMessages.limits(max, maxBytes, accept)}
        </p>
      </div>
      <FileNews state={state} />
    </div>
  )
}
