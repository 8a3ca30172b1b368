import type { FileLabel } from '@gatehouse/model'
import { useEffect, useRef, useState } from 'react'
import { fileMessages } from '#messages/files.ts'
import { uploadFile } from './upload-file.ts'

export type Upload = {
  key: number
  file: File
  /** Bytes sent. */
  sent: number
  /** Why it failed; null while it runs. */
  failure: string | null
  canRetry: boolean
}

type Options = {
  /** How many more files the field takes, running uploads not counted. */
  room: number
  maxBytes: number
  /** `key` counts up in the order of choice, in which uploads needn't end. */
  onUploaded: (file: FileLabel, key: number) => void
}

/** The uploads of one field: those that run, and those that failed until they are retried or removed. */
export function useUploads({ room, maxBytes, onUploaded }: Options) {
  const [uploads, setUploads] = useState<Upload[]>([])
  const [refusal, setRefusal] = useState<string | null>(null)
  const running = useRef(new Map<number, AbortController>())
  const next = useRef(0)
  const latest = useRef(onUploaded)
  useEffect(() => {
    latest.current = onUploaded
  })
  // A form that closes ends its uploads.
  useEffect(() => {
    const controllers = running.current
    return () => {
      for (const controller of controllers.values()) controller.abort()
    }
  }, [])

  const change = (key: number, changes: Partial<Upload>) =>
    setUploads((now) => now.map((one) => (one.key === key ? { ...one, ...changes } : one)))
  const remove = (key: number) => {
    running.current.get(key)?.abort()
    setUploads((now) => now.filter((one) => one.key !== key))
  }

  async function run({ key, file }: Pick<Upload, 'key' | 'file'>) {
    const controller = new AbortController()
    running.current.set(key, controller)
    change(key, { sent: 0, failure: null })
    const result = await uploadFile(file, {
      signal: controller.signal,
      onProgress: (sent) => change(key, { sent }),
    })
    running.current.delete(key)
    if (controller.signal.aborted) return
    if ('failure' in result) return change(key, result)
    remove(key)
    latest.current(result.file, key)
  }

  return {
    uploads,
    /** Why some of the chosen files were not taken. */
    refusal,
    add: (files: readonly File[]) => {
      const free = room - uploads.length
      setRefusal(files.length > free ? fileMessages.tooMany(room) : null)
      const added = files.slice(0, Math.max(0, free)).map((file): Upload => {
        const isTooLarge = file.size > maxBytes
        return {
          key: next.current++,
          file,
          sent: 0,
          failure: isTooLarge ? fileMessages.refused(fileMessages.limits(1, maxBytes, [])) : null,
          canRetry: !isTooLarge,
        }
      })
      setUploads((now) => [...now, ...added])
      for (const upload of added) if (upload.failure === null) void run(upload)
    },
    retry: (upload: Upload) => void run(upload),
    remove,
  }
}
