import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FileStore, StoredBytes } from './store.ts'

export type Bucket = {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** A little longer than a link, which nginx has to redeem first. */
const ADDRESS_SECONDS = 120

/** Files in a bucket of any S3-compatible store. The client is loaded only here: it takes 33 MB of memory. */
export async function s3Store({ bucket: Bucket, ...server }: Bucket): Promise<FileStore> {
  const {
    DeleteObjectCommand,
    GetBucketVersioningCommand,
    GetObjectCommand,
    ListObjectsV2Command,
    PutObjectCommand,
    S3Client,
  } = await import('@aws-sdk/client-s3')
  const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
  const { endpoint, region, ...credentials } = server
  const client = new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    // By default the client adds checksums that not every store knows.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })

  /** A thousand at a time. */
  async function* list(Prefix = ''): AsyncGenerator<StoredBytes> {
    let next: string | undefined
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix, ...(next ? { ContinuationToken: next } : {}) }),
      )
      for (const { Key = '', Size = 0, LastModified = new Date() } of page.Contents ?? [])
        // Some stores list folders too.
        if (!Key.endsWith('/')) yield { key: Key, size: Size, changedAt: LastModified }
      next = page.NextContinuationToken
    } while (next)
  }

  return {
    async put(Key, path) {
      const { size: ContentLength } = await stat(path)
      const Body = createReadStream(path)
      await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength }))
      await rm(path)
    },
    async remove(Key) {
      await client.send(new DeleteObjectCommand({ Bucket, Key }))
    },
    async locate(Key) {
      const read = new GetObjectCommand({ Bucket, Key })
      const { pathname, search } = new URL(
        await getSignedUrl(client, read, { expiresIn: ADDRESS_SECONDS }),
      )
      return `/_bucket${pathname}${search}`
    },
    async copyTo(Key, path) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
      await pipeline(Body as Readable, createWriteStream(path, { flags: 'wx', mode: 0o640 }))
    },
    list,
    async hasVersions() {
      const { Status } = await client
        .send(new GetBucketVersioningCommand({ Bucket }))
        .catch(ifUnsupported)
      return Status === 'Enabled'
    },
  }
}

/** Some stores can keep no versions. */
function ifUnsupported(error: { name: string }): { Status?: string } {
  if (/^(NotImplemented|MethodNotAllowed|VersioningNotConfigured)$/.test(error.name)) return {}
  throw error
}
