import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { SetupError } from '../../api/src/platform/errors.ts'

/** Reads lines from a terminal; what is typed at a hidden prompt isn't shown. */
export function openTerminal(input: NodeJS.ReadableStream, screen: NodeJS.WritableStream) {
  let isMuted = false
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      if (!isMuted) screen.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input, output, terminal: true })
  const closed = new Promise<never>((_resolve, reject) => {
    // Ctrl-C or Ctrl-D.
    lines.once('close', () => reject(new SetupError('\nStopped: nothing was written')))
  })
  closed.catch(() => {})
  return {
    readLine: async (text: string, { isHidden }: { isHidden: boolean }) => {
      const line = lines.question(text)
      isMuted = isHidden
      try {
        return await Promise.race([line, closed])
      } finally {
        isMuted = false
        if (isHidden) screen.write('\n')
      }
    },
    close: () => lines.close(),
  }
}
