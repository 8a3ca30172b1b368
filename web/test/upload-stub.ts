import type { FileLabel } from '@gatehouse/model'
import { waitFor } from '@testing-library/react'
import { vi } from 'vitest'

/** Uploads as the browser would send them; each is answered by the test. */
export class Upload extends EventTarget {
  static all: Upload[] = []
  upload = new EventTarget()
  headers = new Map<string, string>()
  status = 0
  responseText = ''
  body: File | null = null
  constructor() {
    super()
    Upload.all.push(this)
  }
  open() {}
  setRequestHeader(name: string, value: string) {
    this.headers.set(name, value)
  }
  getResponseHeader() {
    return null
  }
  send(body: File) {
    this.body = body
  }
  abort() {
    this.dispatchEvent(new Event('abort'))
  }
  answer(status: number, body: object) {
    this.status = status
    this.responseText = JSON.stringify(body)
    this.dispatchEvent(new Event('load'))
  }
}

export function stubUploads() {
  Upload.all = []
  vi.stubGlobal('XMLHttpRequest', Upload)
}

export const stagedFile = (name: string, size = 5): FileLabel => ({
  id: `id-${name}`,
  name,
  type: 'text/plain',
  size,
  state: 'ready',
})

export const textFile = (name: string, content = 'hello') =>
  new File([content], name, { type: 'text/plain' })

export const nthUpload = (index = 0) =>
  waitFor(() => Upload.all[index] ?? Promise.reject(new Error('none')))
