/**
 * Test files that get a process of their own, with the reason. The others of api and web share one with each other, which saves
 * importing the same code again.
 */
export const ISOLATED: Record<string, string> = {
  'api/src/app.test.ts': 'spies on the process and its signals',
  'api/src/pages/change-stamp.test.ts': 'fake timers',
  'api/src/platform/admission-control/fair-queue.test.ts': 'fake timers',
  'api/src/platform/db.test.ts': 'starts a PostgreSQL',
  'api/src/platform/files/preview-process.test.ts': 'sets process.env',
  'api/src/platform/http/auth.test.ts': 'fake timers',
  'api/src/platform/http/fairness.test.ts': 'measures times',
  'api/src/platform/identity/directory.test.ts': 'stubs globals',
  'api/src/platform/identity/proof.test.ts': 'fake timers',
  'api/src/platform/identity/revocations.test.ts': 'fake timers',
  'api/src/platform/migrate.test.ts': 'sets process.env',
  'web/src/auth/session.test.ts': 'needs a module that has not loaded its client yet',
  'web/src/base/drafts.test.ts': 'stubs globals',
  'web/src/boot/consent.test.tsx': 'fake timers',
  'web/src/boot/loading-status.test.ts': 'fake timers',
  'web/src/data/definitions.test.ts': 'fake timers',
  'web/src/data/fresh-value.test.ts': 'fake timers',
  'web/src/feedback/modals.test.tsx': 'fake timers',
  'web/src/feedback/toasts.test.tsx': 'fake timers',
  'web/src/files/file-input.test.tsx': 'stubs globals',
  'web/src/files/file-list.test.tsx': 'fake timers',
  'web/src/forms/inputs/relation-picker.test.tsx': 'stubs globals',
  'web/src/forms/inputs/round-trip.test.ts': 'sets process.env',
  'web/src/layout/nav-bar.test.tsx': 'stubs globals',
  'web/src/layout/staff-shell.test.tsx': 'replaces config.json',
  'web/src/palette/palette.test.tsx': 'stubs globals',
  'web/src/records/actions/model-actions.test.tsx': 'stubs globals',
  'web/src/router.test.tsx': 'stubs globals',
}
