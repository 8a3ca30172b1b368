import type { Job } from './job.ts'

const STORE_RETRY_SECONDS = 60

/** Makes smaller copies of attached pictures. */
export const makePreviews: Job = {
  name: 'make-previews',
  onLocalChange: (tools, wake) => tools.files?.previews.onPicture(wake),
  pollMs: 15_000,
  // Until the store is back. What a picture may cost is limited by its row.
  retryLimit: 1_000_000,
  find: async (tools) => tools.files?.previews.due() ?? [],
  run: async (id, tools) => {
    try {
      await tools.files?.previews.make(id, tools.logger)
    } catch (error) {
      tools.logger.warn({ err: error, file: id }, 'failed to store previews; retrying')
      return { code: 'store', pauseSeconds: STORE_RETRY_SECONDS }
    }
  },
}
