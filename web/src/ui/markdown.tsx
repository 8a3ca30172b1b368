import ReactMarkdown from 'react-markdown'
import { isParsable, limitNodes } from './markdown-limits.ts'
import { frameTables, parseTables } from './markdown-tables.ts'
import './markdown.scss'

/** The page itself has the h1. */
const HEADINGS = { h1: 'h2', h2: 'h2', h3: 'h3', h4: 'h4' } as const

/** Markdown as React elements: raw HTML is shown as text, unsafe URLs are dropped. */
export const Markdown = ({ text }: { text: string }) =>
  isParsable(text) ? (
    <ReactMarkdown
      components={HEADINGS}
      disallowedElements={['img']}
      unwrapDisallowed
      remarkPlugins={[parseTables, limitNodes]}
      rehypePlugins={[frameTables]}
    >
      {text}
    </ReactMarkdown>
  ) : (
    <p className="md-source">{text}</p>
  )
