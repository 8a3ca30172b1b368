import type { ReactNode } from 'react'

/** A message with one marked part: in `Use the <link>form</link>.` the form is what `render` makes of it. */
export function marked(message: string, render: (words: string) => ReactNode) {
  const [, before, , words = '', after] = /^(.*?)<(\w+)>(.*?)<\/\2>(.*)$/s.exec(message) ?? []
  return (
    <>
      {before}
      {render(words)}
      {after}
    </>
  )
}
