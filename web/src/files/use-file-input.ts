import type { FileLabel } from '@gatehouse/model'
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ChangeEvent,
  type ClipboardEvent,
  type DragEvent,
  type RefObject,
} from 'react'
import { fileMessages } from '#messages/files.ts'
import { useUploads, type Upload } from './use-uploads.ts'

/** Without a limit of its own, a field takes what the server takes; the server decides. */
export const MAX_BYTES = 100_000_000

export type FileInputProps = {
  /** Of the input, and so of its label. */
  id: string
  label: string
  max: number
  accept: readonly string[]
  maxBytes?: number | undefined
  aria: { 'aria-describedby'?: string; 'aria-invalid'?: true }
  files: FileLabel[]
  onChange: (files: FileLabel[]) => void
}

export type FileInputState = ReturnType<typeof useFileInput>

/** Chosen, dropped and pasted files: each is uploaded at once, and attached when the record is saved. */
export function useFileInput(props: FileInputProps, input: RefObject<HTMLInputElement | null>) {
  const { label, max, maxBytes = MAX_BYTES, files, onChange } = props
  const [isOver, setOver] = useState(false)
  const [news, setNews] = useState('')
  const chosen = useRef(files)
  const keys = useRef(new Map<string, number>())
  // Before the next upload can end: an effect after painting would undo what that one added.
  useLayoutEffect(() => {
    chosen.current = files
  }, [files])
  const set = (now: FileLabel[]) => {
    chosen.current = now
    onChange(now)
  }
  const { uploads, refusal, add, retry, remove } = useUploads({
    room: max - files.length,
    maxBytes,
    onUploaded: (file, key) => {
      keys.current.set(file.id, key)
      const isLater = ({ id }: FileLabel) => (keys.current.get(id) ?? -1) > key
      set(insertBefore(chosen.current, isLater, file))
      setNews(fileMessages.done(file.name))
    },
  })
  useEffect(() => {
    input.current?.setCustomValidity(blockedBy(label, uploads))
  }, [input, label, uploads])

  const takeFrom = (transfer: DataTransfer | null) => {
    const dropped = [...(transfer?.files ?? [])]
    if (dropped.length > 0) add(dropped)
    return dropped.length > 0
  }
  // A full field shows its button again once the file is gone.
  const focusLater = () => requestAnimationFrame(() => input.current?.focus())
  return {
    label,
    files,
    uploads,
    refusal,
    news,
    isOver,
    isFull: files.length + uploads.length >= max,
    isEmpty: files.length + uploads.length === 0,
    retry,
    cancel: (upload: Upload) => {
      remove(upload.key)
      // What the form said about the upload is no longer so.
      onChange(chosen.current)
      focusLater()
    },
    removeFile: (file: FileLabel) => {
      set(files.filter((one) => one.id !== file.id))
      focusLater()
    },
    takeChosen: ({ target }: ChangeEvent<HTMLInputElement>) => {
      add([...(target.files ?? [])])
      // The same file may be chosen again after it was removed.
      target.value = ''
    },
    /** Of the element that takes dropped and pasted files. */
    handlers: {
      onDragOver: (event: DragEvent) => {
        // Dragged text goes where it is dropped.
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false)
        if (takeFrom(event.dataTransfer)) event.preventDefault()
      },
      onPaste: (event: ClipboardEvent) => {
        if (takeFrom(event.clipboardData)) event.preventDefault()
      },
    },
  }
}

/** Before the first that `isLater`, otherwise at the end. */
function insertBefore<T>(list: T[], isLater: (one: T) => boolean, added: T) {
  const place = list.findIndex(isLater)
  return place < 0 ? [...list, added] : list.toSpliced(place, 0, added)
}

/** The limits, after the error if there is one. */
export const describedBy = ({ aria }: FileInputProps, limits: string) =>
  [aria['aria-invalid'] && aria['aria-describedby'], limits].filter(Boolean).join(' ')

/** Why the form can't be saved yet: a file must not be left out in silence. */
function blockedBy(label: string, uploads: Upload[]) {
  if (uploads.some(({ failure }) => failure !== null)) return fileMessages.unfinished(label)
  return uploads.length > 0 ? fileMessages.pending(label) : ''
}
