import { incidents } from '@gatehouse/model/models'
import { defineBehaviour } from '#engine/behaviour.ts'

/** GDPR Art. 33: the authority must be notified within 72 hours of detection. */
const BREACH_NOTICE_MS = 72 * 3_600_000

export const incidentBehaviour = defineBehaviour(incidents, {
  computed: {
    notifyBy: ({ record: { personalDataBreach, detectedAt } }) =>
      personalDataBreach ? new Date(Date.parse(detectedAt) + BREACH_NOTICE_MS).toISOString() : null,
  },
})
