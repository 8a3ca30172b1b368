import { askNames } from './ask-names.ts'
import { assignClients, settleRevisions } from './backfills.ts'
import { compareHistory } from './compare-history.ts'
import { emptyTrash } from './empty-trash.ts'
import { expireAccounts } from './expire-accounts.ts'
import { findStaff } from './find-staff.ts'
import type { Job } from './job.ts'
import { securityAlerts } from './security-alerts.ts'
import { sendMail } from './send-mail.ts'
import { cleanSearch, updateLastContacts } from './statement-jobs.ts'
import { sweep } from './sweep.ts'

export const JOBS: Job[] = [
  sendMail,
  emptyTrash,
  settleRevisions,
  compareHistory,
  sweep,
  cleanSearch,
  updateLastContacts,
  expireAccounts,
  askNames,
  findStaff,
  assignClients,
  securityAlerts,
]
