import type { ReactNode } from 'react'

/** Renders a message with one marked part, such as `Use the <link>form</link>.` */
export function renderMarked(message: string, render: (text: string) => ReactNode) {
  const [, before, , text = '', after] = /^(.*?)<(\w+)>(.*?)<\/\2>(.*)$/s.exec(message) ?? []
  return (
    <>
      {before}
      {render(text)}
      {after}
    </>
  )
}
