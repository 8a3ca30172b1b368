import ReactMarkdown from 'react-markdown'

/** The page itself has the h1. */
const HEADINGS = { h1: 'h2', h2: 'h2', h3: 'h3', h4: 'h4' } as const

/** Markdown as React elements: raw HTML is shown as text, unsafe URLs are dropped. */
export const Markdown = ({ text }: { text: string }) => (
  <ReactMarkdown components={HEADINGS} disallowedElements={['img']} unwrapDisallowed>
    {text}
  </ReactMarkdown>
)
