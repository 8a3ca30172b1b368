import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { multipart, rawEmail } from '../../test/raw-email.ts'
import { buildEmailThread, type ThreadLimits } from './email-thread.ts'

const HEAD = ['From: <erika@client.example>', 'Subject: Door']
const options = { authserv: null }
/** The thread starts within the time of the first email, and the machine may be busy. */
const PATIENT = { timeoutMs: 120_000 }
const threads: ReturnType<typeof buildEmailThread>[] = []

const threadWith = (limits: Partial<ThreadLimits> = {}) => {
  const thread = buildEmailThread(limits)
  threads.push(thread)
  return thread
}

/** A program that behaves badly on each email whose bytes begin with an x, and well on others. */
async function programThat(does: string) {
  const path = join(tmpdir(), `reader-${process.pid}-${Math.random()}.mjs`)
  await writeFile(
    path,
    `import { parentPort } from 'node:worker_threads'
     parentPort.on('message', ({ raw }) => { if (raw[0] === 120) { ${does} } else parentPort.postMessage({ text: 'well' }) })`,
  )
  return pathToFileURL(path)
}

afterEach(async () => {
  await Promise.all(threads.splice(0).map(({ stop }) => stop()))
})

describe('reading in a thread', () => {
  test('several emails are read one after the other, with their files', async () => {
    const thread = threadWith(PATIENT)
    const file = { fields: ['Content-Type: a/b; name=a.bin'], body: 'ABC' }
    const results = await Promise.all(
      ['one', 'two', 'three'].map((body) =>
        thread.read(
          rawEmail(
            [...HEAD, 'Content-Type: multipart/mixed; boundary=edge'],
            multipart([{ fields: [], body }, file, file]),
          ),
          options,
        ),
      ),
    )
    expect(results.map(({ email }) => email.text)).toEqual(['one', 'two', 'three'])
    expect(results.map(({ failure }) => failure)).toEqual([null, null, null])
    for (const { email } of results)
      expect(email.files.map(({ bytes }) => Buffer.from(bytes).toString().trim())).toEqual([
        'ABC',
        'ABC',
      ])
  })

  test('an email that is attached whole leaves the bytes of the caller as they are', async () => {
    const raw = Buffer.alloc(1_000)
    const { email } = await threadWith(PATIENT).read(raw, options)
    expect(email.files[0]?.bytes).toHaveLength(1_000)
    expect(raw).toHaveLength(1_000)
  })

  test.each([
    ['throws', 'throw new Error()', 'crash'],
    ['rejects', 'Promise.reject(new Error())', 'crash'],
    ['ends', 'process.exit(0)', 'crash'],
    ['never answers', '', 'timeout'],
    ['never yields', 'for (;;);', 'timeout'],
    [
      'takes all memory',
      'const all = []; for (;;) all.push(new Array(1e5).fill({}).map(() => ({})))',
      'memory',
    ],
  ])('an email that %s is unread, and the next one is read', async (_, does, failure) => {
    const thread = threadWith({ program: await programThat(does), timeoutMs: 10_000, heapMiB: 32 })
    const bad = rawEmail(['x: y', ...HEAD], 'Hello')
    const [first, second] = await Promise.all([
      thread.read(bad, options),
      thread.read(rawEmail(HEAD, 'Hello'), options),
    ])
    expect(first.failure).toBe(failure)
    expect(first.email).toMatchObject({
      isUnreadable: true,
      subject: 'Door',
      from: { address: 'erika@client.example' },
    })
    expect(first.email.files.map(({ name }) => name)).toEqual(['message.eml'])
    expect(second).toMatchObject({ failure: null, email: { text: 'well' } })
  })
})
