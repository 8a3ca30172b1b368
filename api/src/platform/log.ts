import { pino, type DestinationStream, type Logger } from 'pino'
import { errorLogFields } from './error-log-fields.ts'

/** Logs routes, outcomes and causes, never personal data (docs/decisions/11-no-values-in-logs.md). */
export const buildLogger = (destination: DestinationStream = inBatches()): Logger =>
  pino(
    {
      serializers: {
        err: errorLogFields,
        // Fastify would write address and headers.
        req: ({ id, method }) => ({ id, method }),
        res: ({ statusCode }) => ({ statusCode }),
      },
      hooks: {
        logMethod(given, method) {
          method.apply(this, withoutValues(given) as typeof given)
        },
      },
    },
    destination,
  )

/** Batches writes: one per line would be a twentieth of a request's cost. pino flushes the rest at exit. */
const inBatches = () =>
  pino.destination({ minLength: BATCH_BYTES, periodicFlush: BATCH_MS, sync: false })
const BATCH_BYTES = 4_096
const BATCH_MS = 100

/** Logs uncaught exceptions without values; Node's own report would print them. */
export function logUncaught(logger: Logger) {
  process.once('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught error; exiting')
    process.exit(1)
  })
}

/** pino and Fastify use an error's message as the log line, and Fastify quotes URLs in it. */
function withoutValues([first, message]: unknown[]): unknown[] {
  if (typeof first === 'string') return [unquoted(first)]
  const fields = first instanceof Error ? { err: first } : (first as { err?: unknown })
  const errorMessage = fields.err instanceof Error ? fields.err.message : undefined
  const isOurs = typeof message === 'string' && message !== errorMessage
  return isOurs ? [fields, unquoted(message)] : [fields, ...('err' in fields ? ['error'] : [])]
}

const unquoted = (text: string) => text.replaceAll(/"[^"]*"/g, '"…"')
