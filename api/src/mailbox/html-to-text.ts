import { convert } from 'html-to-text'

/** 5 MB take a second. The rest is in email.html. */
const HTML_MAX = 2_000_000
const LIMITS = { maxDepth: 2_100, maxChildNodes: 20_000, maxInputLength: HTML_MAX, ellipsis: '…' }

export function htmlToText(html: string) {
  try {
    return convert(html.slice(0, HTML_MAX), {
      wordwrap: false,
      limits: LIMITS,
      selectors: [
        { selector: 'img', format: 'skip' },
        { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
        ...HEADINGS.map((selector) => ({ selector, options: { uppercase: false } })),
      ],
    })
  } catch {
    // A tree that is deeper than its stack: the text stays in email.html.
    return ''
  }
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
