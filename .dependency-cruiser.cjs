/**
 * Import rules of the whole repository. Layers are listed top down: a file imports from its own module and from lower layers;
 * modules of one layer never import each other. `.` stands for the files of the folder itself. Tests may import anything.
 */
const MODULES = {
  'api/src': [
    ['.'],
    [
      'tickets',
      'mailbox',
      'clients',
      'security',
      'security/logs',
      'pages',
      'privacy',
      'staff',
      'jobs',
    ],
    ['mail'],
    ['privacy/notice', 'engine/http'],
    ['engine/operations'],
    ['engine/write'],
    ['engine/security'],
    ['engine/history'],
    ['engine/query'],
    ['engine/files'],
    ['engine'],
    ['platform/http'],
    ['platform/admission-control'],
    ['platform/identity'],
    ['platform/pg-notify', 'platform/mail', 'platform/files'],
    ['platform'],
  ],
  'web/src': [
    ['.'],
    ['public', 'portal', 'desk', 'desk/logs', 'auth/pages', 'palette', 'records'],
    ['reading', 'records/list', 'records/detail', 'records/form', 'records/history'],
    ['records/actions', 'records/filter', 'records/shell', 'records/timeline', 'records/trash'],
    ['records/query'],
    ['records/shared'],
    ['layout'],
    ['boot'],
    ['forms'],
    ['forms/inputs'],
    ['files'],
    ['data'],
    ['feedback', 'auth'],
    ['ui/overlay'],
    ['ui'],
    ['messages'],
    ['messages/en'],
    ['base'],
  ],
  'model/src': [['models'], ['.'], ['checks', 'wire', 'privacy'], ['definition', 'site', 'brand']],
}

/** The repository around and including the workspaces, by path pattern. */
const REPOSITORY = [
  { ci: '^tools/ci/', sites: '^(sample|site|ops/drills/upgrade/site)/' },
  { e2e: '^e2e/', bench: '^bench/', drills: '^ops/drills/(?!kit/|upgrade/site/)' },
  { checks: '^tools/checks/' },
  { kit: '^(ops/drills/kit|api/test|web/test)/' },
  { site: '^tools/site/', install: '^tools/install/' },
  { doctor: '^ops/doctor/', release: '^tools/release/', seed: '^tools/seed/' },
  { db: '^tools/db/', docs: '^tools/docs/', notice: '^tools/notice/', openapi: '^tools/openapi/' },
  { stack: '^tools/(stack|build)/' },
  { realm: '^tools/realm/' },
  { builds: '^(api|web)/[^/]+[.]ts$|^web/keycloak/' },
  { api: '^api/src/', web: '^web/src/' },
  { model: '^model/src/' },
]

const TEST = '[.](test|spec)(-d)?[.]tsx?$'
const SITES = '^(sample|site|ops/drills/upgrade/site)/'
const ENTRY_POINTS = [
  '^model/src/(index|models/index)[.]ts$',
  '^api/src/behaviour[.]ts$',
  '^web/src/messages/index[.]ts$',
]

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const filesOf = (root, module) => `^${module === '.' ? root : `${root}/${module}`}/[^/]+$`

const betweenModules = Object.entries(MODULES).flatMap(([root, layers]) =>
  layers.flatMap((layer, index) =>
    layer.map((module) => {
      const others = [...layers.slice(0, index), layer].flat().filter((one) => one !== module)
      return rule(
        `${root}:${module}`,
        'Imports point to lower layers',
        { path: filesOf(root, module), pathNot: TEST },
        { path: others.map((other) => filesOf(root, other)) },
      )
    }),
  ),
)
const inRepository = REPOSITORY.flatMap((layer, index) =>
  Object.entries(layer).map(([name, path]) => {
    const others = [...REPOSITORY.slice(0, index), layer]
      .flatMap(Object.entries)
      .filter(([other]) => other !== name)
    return rule(
      `repository:${name}`,
      'Imports point to lower layers',
      { path, pathNot: TEST },
      { path: others.map(([, other]) => other) },
    )
  }),
)
const declared = Object.entries(MODULES).flatMap(([root, layers]) =>
  layers.flat().map((module) => filesOf(root, module)),
)

module.exports = {
  forbidden: [
    ...[...betweenModules, ...inRepository].filter(({ to }) => to.path.length > 0),
    rule(
      'no-cycle',
      'Files must not import each other',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    rule(
      'no-orphan',
      'A file that imports nothing must be imported',
      {
        orphan: true,
        pathNot: [TEST, '[.][cm]?js$', '^web/(test/setup|src/auth/silent-renew)[.]ts$'],
      },
      {},
    ),
    rule(
      'declared-module',
      'Every folder must be listed in MODULES',
      { path: '^(api|web|model)/src/.*[.]tsx?$', pathNot: declared },
      {},
    ),
    rule(
      'model-imports-nothing',
      'The model imports nothing from outside',
      { path: '^model/src/', pathNot: TEST },
      { pathNot: '^model/src/' },
    ),
    rule(
      'engine-without-models',
      'Models are passed in by api/src/app.ts',
      { path: '^api/src/(engine|platform)/', pathNot: TEST },
      { path: '^model/src/models/' },
    ),
    rule(
      'web-without-models',
      'The browser gets its models from the API; types are allowed',
      { path: '^web/src/', pathNot: TEST },
      { path: '^model/src/models/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'single-writer',
      'Only data/mutate.ts writes: pass an Intent to mutate or useMutate',
      { path: '^web/src/', pathNot: `^web/src/(data/mutate|boot/consent)[.]ts$|${TEST}` },
      { path: '^web/src/data/send[.]ts$' },
    ),
    rule(
      'site-entry-points',
      'A site imports the public entry points only',
      { path: SITES, pathNot: TEST },
      {
        path: '^(api|web|model|tools|ops|bench|e2e)/',
        pathNot: [...ENTRY_POINTS, '^ops/drills/upgrade/site/'],
      },
    ),
    rule(
      'site-tests',
      'A site’s tests import the entry points and @gatehouse/api/testing',
      { path: `${SITES}.*${TEST}` },
      {
        path: '^(api|web|model|tools|ops|bench|e2e)/',
        pathNot: [...ENTRY_POINTS, '^api/test/testing[.]ts$', '^ops/drills/upgrade/site/'],
      },
    ),
    rule('no-test-import', 'Code never imports a test', { pathNot: TEST }, { path: TEST }),
    rule(
      'declared-package',
      'A package must be in the package.json beside its importer',
      {},
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    rule(
      'no-dev-package',
      'Shipped code needs no dev dependency; mailbox is in no program yet, so its packages are not bundled either',
      { path: '^(api|model)/src/', pathNot: `^api/src/mailbox/|${TEST}` },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    rule('resolvable', 'An import must resolve to a file', {}, { couldNotResolve: true }),
  ],
  options: {
    // dependency-cruiser 18 has no parser for TypeScript 7; swc distinguishes type-only imports by itself.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist(-server)?/|/node_modules/.*/node_modules/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
}
