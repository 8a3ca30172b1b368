import type { SiteConfig } from '@gatehouse/model'
import type { FileEnv } from './open-files.ts'

/** ID of the bucket's host among the recipients of the privacy notice. */
const BUCKET_RECIPIENT = 'files'

/** The host of a bucket receives what people attach, so the notice must name it. Null if it does, or if there is no bucket. */
export const checkBucketRecipient = (
  { bucket }: Pick<FileEnv, 'bucket'>,
  { recipients }: Pick<SiteConfig, 'recipients'>,
) =>
  bucket === null || recipients.some(({ id }) => id === BUCKET_RECIPIENT)
    ? null
    : `FILES_BUCKET is set, so recipients in site.json must name its host, with the id "${BUCKET_RECIPIENT}"`
