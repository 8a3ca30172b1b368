import { convert } from 'html-to-text'

/** Longer HTML is attached with the email as it came. */
const HTML_MAX = 5_000_000
/** html-to-text takes two seconds for a megabyte: this much is more than what is shown. */
const CONVERTED_MAX = 200_000
const LIMITS = { maxDepth: 2_100, maxChildNodes: 100_000, maxInputLength: HTML_MAX }

/** The beginning with lists, tables and links; below it text alone, so that no word is lost. */
export function htmlToText(html: string) {
  if (html.length <= CONVERTED_MAX) return toText(html)
  const shown = HIDDEN.reduce(withoutElements, html.slice(0, HTML_MAX))
  const at = shown.length > CONVERTED_MAX ? shown.lastIndexOf('<', CONVERTED_MAX) : -1
  const cut = at > 0 ? at : CONVERTED_MAX
  return [toText(shown.slice(0, cut)), toText(withoutTags(shown.slice(cut)), true)].join('\n')
}

function toText(html: string, preserveNewlines = false) {
  try {
    return convert(html, {
      wordwrap: false,
      preserveNewlines,
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

/** Beginning and end of what nobody sees. */
const HIDDEN: [RegExp, RegExp][] = [
  [/<!--/g, /-->/g],
  [/<style\b/gi, /<\/style\s*>/gi],
  [/<script\b/gi, /<\/script\s*>/gi],
]

/** Linear, even if thousands begin and none ends. */
function withoutElements(html: string, [begin, end]: [RegExp, RegExp]) {
  const kept: string[] = []
  let from = 0
  for (;;) {
    begin.lastIndex = from
    const start = begin.exec(html)?.index
    if (start === undefined) break
    end.lastIndex = start
    const ended = end.exec(html)
    if (!ended) break
    kept.push(html.slice(from, start))
    from = ended.index + ended[0].length
  }
  return kept.join('') + html.slice(from)
}

const BLOCK = /<\/?(?:p|div|br|li|ul|ol|tr|table|h[1-6]|blockquote|pre|hr)\b[^<>]*>/gi
const TAG = /<\/?[a-z!][^<>]*>/gi

const withoutTags = (html: string) =>
  html.replaceAll(/\s+/g, ' ').replaceAll(BLOCK, '\n').replaceAll(TAG, ' ')
