/**
 * The rooms of a workspace from the top down; those on one line are strangers to each other. A file imports from its own
 * room and from the lines below. `.` are the files beside the rooms: the wiring of the API, the door of the model.
 */
export const PICTURE = {
  'api/src': [
    ['.'],
    ['tickets', 'clients', 'security', 'catalogue', 'privacy', 'jobs'],
    ['privacy/notice', 'engine/http'],
    ['engine/write'],
    ['engine/history'],
    ['engine/query'],
    ['engine'],
    ['platform/http'],
    ['platform'],
  ],
  'model/src': [['models'], ['.'], ['checks', 'wire', 'privacy'], ['definition', 'site']],
} as const satisfies Record<string, string[][]>

export type Root = keyof typeof PICTURE

export const roomsOf = (root: Root): string[] => PICTURE[root].flat()

/** The rooms that a room must not import from: those above it, and its strangers. */
export function forbiddenFor(root: Root, room: string) {
  const lines: readonly (readonly string[])[] = PICTURE[root]
  const own = lines.findIndex((line) => line.includes(room))
  return lines
    .slice(0, own + 1)
    .flat()
    .filter((other) => other !== room)
}

/** These work on whatever models they are given. */
export const knowsNoModel = (room: string) => /^(engine|platform)\b/.test(room)

/** The same picture for the linter; a test compares it with .oxlintrc.json. */
export const lintOverrides = (root: Root) =>
  roomsOf(root).map((room) => ({
    files: [room === '.' ? `${root}/*.ts` : `${root}/${room}/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns: patternsFor(root, room) }] },
  }))

function patternsFor(root: Root, room: string) {
  const above = forbiddenFor(root, room).filter((other) => other !== '.')
  return [
    root === 'model/src' ? FROM_NOWHERE : FROM_OUTSIDE,
    { regex: String.raw`^\.\./`, message: 'Across folders write #folder/file.ts' },
    ...(room === '.'
      ? []
      : [
          {
            regex: String.raw`^#[^/]+\.ts$|^\./.*/`,
            message: 'Nobody imports what wires the rooms',
          },
        ]),
    ...(above.length > 0
      ? [
          {
            regex: String.raw`^(#|\./)(${above.join('|')})/[^/]+\.ts$`,
            message: 'Imports point down, and strangers never import each other: scripts/rooms.ts',
          },
        ]
      : []),
    ...(knowsNoModel(room)
      ? [{ regex: '^@gatehouse/model/models$', message: 'Models are handed in by the wiring' }]
      : []),
  ]
}

// oxlint knows no look-ahead: a pattern with one matches nothing, and says nothing.
const FROM_NOWHERE = { regex: '^[^.#]', message: 'The model imports nothing from outside' }
const FROM_OUTSIDE = { regex: '^@gatehouse/(web|api)', message: 'api and web never meet' }
