import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const HEADER = 'x-in-process'
/** Never leaves the process, so no client can send it. */
const KEY = randomUUID()

/** Headers of a request that this process makes to itself, with `inject`. */
export const IN_PROCESS = { [HEADER]: KEY }

/** Such requests are not counted per minute and not logged: writing every page takes thousands. */
export const isInProcess = ({ headers }: Pick<FastifyRequest, 'headers'>) => headers[HEADER] === KEY
