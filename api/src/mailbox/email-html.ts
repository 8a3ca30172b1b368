import sanitizeHtml from 'sanitize-html'
import { cleanLines } from './clean-text.ts'

/** Stands in email.html for the link of a file of the same email, by its place in the list. The link is known once it is stored. */
const FILE_PLACEHOLDER = 'attachment:'

const HTML_MAX = 5_000_000
const TAGS =
  'p br div span b strong i em u s a ul ol li blockquote pre code hr h1 h2 h3 h4 h5 h6 table thead tbody tfoot tr td th img sub sup small'
const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[a-z0-9+/=\s]*$/i

type Html = {
  html: string
  /** Place of the file with this Content-ID; undefined if there is none. */
  placeOf: (contentId: string) => number | undefined
}

/**
 * The second wall: the first is the policy with which it is shown. Remote pictures and styles are dropped. Null if it is too
 * large, or too deep for the sanitiser.
 */
export function sanitizeEmail({ html, placeOf }: Html) {
  if (html.length > HTML_MAX) return null
  try {
    return `<!doctype html><meta charset="utf-8">${sanitizeHtml(cleanLines(html), optionsWith(placeOf))}`
  } catch {
    return null
  }
}

const optionsWith = (placeOf: Html['placeOf']): sanitizeHtml.IOptions => ({
  allowedTags: TAGS.split(' '),
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['data', FILE_PLACEHOLDER.slice(0, -1)] },
  allowProtocolRelative: false,
  nestingLimit: 100,
  transformTags: {
    a: (tagName, { href }) => ({
      tagName,
      attribs: href ? { href, rel: 'noreferrer noopener', target: '_blank' } : {},
    }),
    img: (tagName, { src = '', ...attribs }) => {
      const shown = sourceOf(src, placeOf)
      return { tagName, attribs: shown ? { ...attribs, src: shown } : attribs }
    },
  },
})

/** With all others a reader could be followed, or a file of another email named. */
function sourceOf(src: string, placeOf: Html['placeOf']) {
  if (PICTURE.test(src)) return src
  const [, contentId] = /^\s*cid:(.*)$/is.exec(src) ?? []
  const place = contentId === undefined ? undefined : placeOf(decoded(contentId.trim()))
  return place === undefined ? null : `${FILE_PLACEHOLDER}${place}`
}

function decoded(contentId: string) {
  try {
    return decodeURIComponent(contentId)
  } catch {
    return contentId
  }
}
