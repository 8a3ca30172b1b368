import { posix } from 'node:path'
import { ENTRY_POINTS } from '../site/entry-points.ts'

/**
 * The rooms of a workspace, top down. A file imports from its own room and from lower lines; rooms on one line never import
 * each other. `.` is the files outside any room: the API's wiring, the model's door.
 */
export const PICTURE = {
  'api/src': [
    ['.'],
    ['tickets', 'clients', 'security', 'security/logs', 'catalogue', 'privacy', 'people', 'jobs'],
    ['mail'],
    ['privacy/notice', 'engine/http'],
    ['engine/operations'],
    ['engine/write'],
    ['engine/security'],
    ['engine/history'],
    ['engine/query'],
    ['engine'],
    ['platform/http'],
    ['platform/load'],
    ['platform/identity'],
    ['platform/wake', 'platform/mail'],
    ['platform'],
  ],
  'web/src': [
    ['.'],
    ['public', 'portal', 'desk', 'desk/logs', 'auth/pages', 'records'],
    ['records/list', 'records/detail', 'records/form', 'records/history'],
    ['records/actions', 'records/filter', 'records/frame', 'records/trash'],
    ['records/query'],
    ['records/record'],
    ['layout'],
    ['boot'],
    ['forms'],
    ['forms/inputs'],
    ['data'],
    ['feedback', 'auth'],
    ['ui/overlay'],
    ['ui'],
    ['messages'],
    ['messages/en'],
    ['base'],
  ],
  'model/src': [['models'], ['.'], ['checks', 'wire', 'privacy'], ['definition', 'site']],
} as const satisfies Record<string, string[][]>

export type Root = keyof typeof PICTURE

const SUFFIXES: Record<Root, string[]> = {
  'api/src': ['.ts'],
  'web/src': ['.ts', '.tsx'],
  'model/src': ['.ts'],
}

export const roomsOf = (root: Root): string[] => PICTURE[root].flat()

/** Rooms that a room must not import from: those above it and those on its line. */
export function forbiddenFor(root: Root, room: string) {
  const lines: readonly (readonly string[])[] = PICTURE[root]
  const own = lines.findIndex((line) => line.includes(room))
  return lines
    .slice(0, own + 1)
    .flat()
    .filter((other) => other !== room)
}

/** Rooms that work on any model. */
export const knowsNoModel = (room: string) => /^(engine|platform)\b/.test(room)

/** Writes through the API, and the files that may import it: all writes, and the cookie choice, which is sent without the app. */
export const WRITER = 'web/src/data/send.ts'
export const MUTATION_LAYER = 'web/src/data/mutate.ts'
export const CONSENT = 'web/src/boot/consent.ts'

/** The same rules for oxlint; a test compares them with .oxlintrc.json. */
export const lintOverrides = (root: Root) => [
  ...roomsOf(root).map((room) => ({
    files: SUFFIXES[root].map((suffix) => posix.join(root, room, `*${suffix}`)),
    rules: { 'no-restricted-imports': ['error', { patterns: patternsFor(root, room) }] },
  })),
  ...(root === 'web/src' ? WRITING : []),
]

function patternsFor(root: Root, room: string) {
  const above = forbiddenFor(root, room).filter((other) => other !== '.')
  return [
    ...(root === 'model/src' ? [FROM_NOWHERE] : [FROM_OUTSIDE]),
    ...(root === 'web/src' ? [MODELS_FROM_API, NO_WRITING] : []),
    { regex: String.raw`^\.\./`, message: 'Across folders write #folder/file.ts' },
    ...(room === '.'
      ? []
      : [
          {
            regex: String.raw`^#[^/]+\.tsx?$|^\./.*/`,
            message: 'Nobody imports what wires the rooms',
          },
        ]),
    ...(above.length > 0
      ? [
          {
            regex: String.raw`^(#|\./)(${above.join('|')})/[^/]+\.tsx?$`,
            message:
              'Imports point down, and rooms on one line never import each other: tools/checks/rooms.ts',
          },
        ]
      : []),
    ...(knowsNoModel(room)
      ? [{ regex: '^@gatehouse/model/models$', message: 'Models are handed in by the wiring' }]
      : []),
  ]
}

// oxlint has no look-ahead: a pattern with one silently matches nothing.
const FROM_NOWHERE = { regex: '^[^.#]', message: 'The model imports nothing from outside' }
const MODELS_FROM_API = {
  regex: '^@gatehouse/model/models$',
  allowTypeImports: true,
  message: 'The browser learns its models from the API; only their types are known here',
}
const NO_WRITING = {
  regex: String.raw`^(#data|\.)/send\.ts$`,
  message: 'Only data/mutate.ts writes: describe an Intent and call mutate or useMutate',
}
const FROM_OUTSIDE = { regex: '^@gatehouse/(web|api)', message: 'api and web never meet' }

/** Only data/ talks to a server; the identity provider has its own client. */
const WRITING = [
  ...[
    [MUTATION_LAYER, 'data'],
    [CONSENT, 'boot'],
  ].map(([file = '', room = '']) => ({
    files: [file],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: patternsFor('web/src', room).filter((pattern) => pattern !== NO_WRITING) },
      ],
    },
  })),
  {
    files: ['web/src/**/*.ts', 'web/src/**/*.tsx'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['fetch', 'XMLHttpRequest'].map((name) => ({
          name,
          message: 'Read by data/client.ts, write by data/mutate.ts',
        })),
      ],
    },
  },
  {
    files: ['web/src/data/client.ts', WRITER, 'web/src/auth/*.ts', 'web/src/auth/*.tsx'],
    rules: { 'no-restricted-globals': 'off' },
  },
]

/** A site keeps to what is promised, as tools/site/entry-points.ts says. oxlint stops at a group that allows: it comes last. */
export const SITE_OVERRIDE = {
  files: ['sample', 'site', 'ops/drills/upgrade/site'].map((folder) => `${folder}/**/*.ts`),
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: String.raw`^(\.\./)+((api|model|web)/(src|test)|tools|ops|bench|e2e)/`,
            message: `That is inside the product: use ${ENTRY_POINTS.join(', ')}`,
          },
          {
            group: ['**', '!./**', '!../**', '!node:*', ...ENTRY_POINTS.map((door) => `!${door}`)],
            message: `A site imports its own files, Node’s modules and ${ENTRY_POINTS.join(', ')}`,
          },
        ],
      },
    ],
  },
}
