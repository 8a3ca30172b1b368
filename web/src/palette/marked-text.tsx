import { fold } from './palette-item.ts'

/** The text with the first occurrence of what was typed marked. */
export function MarkedText({ text, typed }: { text: string; typed: string }) {
  const at = typed && hasEqualLength(text) ? fold(text).indexOf(fold(typed)) : -1
  if (at < 0) return text
  const end = at + fold(typed).length
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  )
}

/** Otherwise places in the folded text are not those of the text. */
const hasEqualLength = (text: string) => fold(text).length === text.length
