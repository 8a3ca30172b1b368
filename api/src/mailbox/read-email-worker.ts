import { parentPort } from 'node:worker_threads'
import type { ReadRequest } from './email-thread.ts'
import { readEmail } from './read-email.ts'

/** The thread in which emails are read (email-thread.ts). */
parentPort?.on('message', (request: ReadRequest) => {
  // A rejection is not caught: it ends the thread.
  void answer(request)
})

async function answer({ raw, options }: ReadRequest) {
  const email = await readEmail(Buffer.from(raw.buffer), options)
  parentPort?.postMessage(email, buffersOf(email.files))
}

/** Moved, not copied. A file of the email as it came shares its buffer with nothing else that is sent. */
const buffersOf = (files: readonly { bytes: Uint8Array }[]) => [
  ...new Set(files.map(({ bytes }) => bytes.buffer as ArrayBuffer)),
]
