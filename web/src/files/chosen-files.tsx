import type { RefObject } from 'react'
import { describedBy, type FileInputProps, type FileInputState } from './use-file-input.ts'

type Props = {
  input: RefObject<HTMLInputElement | null>
  field: FileInputProps
  state: FileInputState
  /** Id of the text with the limits. */
  limits: string
}

/** The browser's own input, inside a label that looks like a button or a link. */
export const ChosenFiles = ({ input, field, state, limits }: Props) => (
  <input
    ref={input}
    id={field.id}
    type="file"
    className="visually-hidden"
    multiple={field.max > 1}
    accept={field.accept.join(',')}
    {...field.aria}
    aria-describedby={describedBy(field, limits)}
    onChange={state.takeChosen}
  />
)
