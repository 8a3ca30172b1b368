import { requireNameUpdate } from './require-name-update.ts'
import { assignClients, backfillRevisions } from './backfills.ts'
import { compareHistory } from './compare-history.ts'
import { emptyTrash } from './empty-trash.ts'
import { expireAccounts } from './expire-accounts.ts'
import { syncStaff } from './sync-staff.ts'
import type { Job } from './job.ts'
import { makePreviews } from './make-previews.ts'
import { securityAlerts } from './security-alerts.ts'
import { sendMail } from './send-mail.ts'
import { flushSearchIndex, updateLastContacts } from './statement-jobs.ts'
import { expireRows } from './expire-rows.ts'
import { recheckFiles, sweepFiles, sweepStrayFiles } from './sweep-files.ts'

export const JOBS: Job[] = [
  sendMail,
  emptyTrash,
  backfillRevisions,
  compareHistory,
  expireRows,
  sweepFiles,
  sweepStrayFiles,
  recheckFiles,
  makePreviews,
  flushSearchIndex,
  updateLastContacts,
  expireAccounts,
  requireNameUpdate,
  syncStaff,
  assignClients,
  securityAlerts,
]
