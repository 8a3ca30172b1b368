import ReactMarkdown from 'react-markdown'

/** Headings in a record's text stand below the page's own. */
const HEADINGS = { h1: 'h2', h2: 'h2', h3: 'h3', h4: 'h4' } as const

/** Markdown as elements, never as HTML: raw markup in the text stays text, and dangerous addresses are dropped. */
export const Markdown = ({ text }: { text: string }) => (
  <ReactMarkdown components={HEADINGS} disallowedElements={['img']} unwrapDisallowed>
    {text}
  </ReactMarkdown>
)
