import { emptyTrash } from './empty-trash.ts'
import { forgetViews } from './forget-views.ts'
import type { Job } from './job.ts'
import { sendMail } from './send-mail.ts'
import { settleRevisions } from './settle-revisions.ts'

export const JOBS: Job[] = [sendMail, emptyTrash, forgetViews, settleRevisions]
