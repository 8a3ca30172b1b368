const DEPTH_MAX = 100
/** An attribute may contain neither bracket: that keeps it linear, and only concerns what is deeper than any program writes. */
const TAG = /<(\/?)[a-z][^<>]*>/gi
const CLOSED = /\/>$|^<(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b/i
/** Old programs don't close paragraphs and cells, so this many may be open in a long email. */
const OPEN_MAX = 2_000

/** The HTML without the tags of its depths, if it is deeper than parsers can take: 200,000 open tags take them 18 seconds. */
export function limitDepth(html: string) {
  if (deepest(html) <= OPEN_MAX) return html
  let depth = 0
  return html.replaceAll(TAG, (tag, slash: string) => {
    if (CLOSED.test(tag)) return tag
    const isKept = slash ? depth <= DEPTH_MAX : depth < DEPTH_MAX
    depth = slash ? Math.max(0, depth - 1) : depth + 1
    return isKept ? tag : ' '
  })
}

function deepest(html: string) {
  let [depth, max] = [0, 0]
  for (const [tag, slash] of html.matchAll(TAG)) {
    if (CLOSED.test(tag)) continue
    depth = slash ? Math.max(0, depth - 1) : depth + 1
    max = Math.max(max, depth)
  }
  return max
}
