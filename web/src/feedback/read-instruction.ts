import { siteMessages } from '#messages/site.ts'
import type { ModalSize } from '#ui/overlay/modal.tsx'
import { showModal } from './modals.tsx'
import { showToast, TOAST_TYPES, type Toast } from './toasts.tsx'

type ModalInstruction = { title: string; body: string; size?: ModalSize; note?: string }
export type Instruction = { toast?: Toast; modal?: ModalInstruction }

/** Enough for a title and a text with every character escaped. */
const RAW_MAX_LENGTH = 8_000
const TEXT_MAX_LENGTH = 500
const DELAY_MIN_MS = 1_000
const DELAY_MAX_MS = 10_000
const SIZES = ['sm', 'md', 'lg'] as const

/** Written by our own code: any length, but still validated. */
export function fromState(state: unknown): Instruction {
  return collect({
    toast: () => toToast(Reflect.get(Object(state), 'toast')),
    modal: () => toModal(Reflect.get(Object(state), 'modal')),
  })
}

/** Untrusted: plain text of limited length, with a line that says it came from a link. */
export function fromQuery(query: URLSearchParams): Instruction {
  const { toast, modal } = collect({
    toast: () => query.has('toast') && toToast(parse(query.get('toast'))),
    modal: () => query.has('modal') && toModal(parse(query.get('modal'))),
  })
  return {
    ...(toast
      ? { toast: { ...toast, delay: clamp(toast.delay), note: siteMessages.fromLink } }
      : {}),
    ...(modal ? { modal: { ...modal, note: siteMessages.fromLink } } : {}),
  }
}

export function showInstruction({ toast, modal }: Instruction) {
  if (toast) showToast(toast)
  if (modal) showModal(modal)
}

/** Invalid instructions are only logged. */
function collect(readers: {
  toast: () => Toast | undefined | false
  modal: () => ModalInstruction | undefined | false
}): Instruction {
  const attempt = <T>(read: () => T) => {
    try {
      return read() || undefined
    } catch (error) {
      console.warn('Invalid instruction ignored', error)
      return undefined
    }
  }
  const toast = attempt(readers.toast)
  const modal = attempt(readers.modal)
  return { ...(toast ? { toast } : {}), ...(modal ? { modal } : {}) }
}

function toToast(value: unknown): Toast | undefined {
  if (value === undefined || value === null) return undefined
  const { message, type, delay, autohide, closeButton } = asObject(value)
  if (typeof message !== 'string' || message === '') throw new Error('toast without a message')
  const known = TOAST_TYPES.find((one) => one === type)
  if (type !== undefined && !known) throw new Error('toast of an unknown type')
  return {
    message,
    type: known ?? 'info',
    ...(typeof delay === 'number' && Number.isFinite(delay) ? { delay } : {}),
    ...(typeof autohide === 'boolean' ? { autohide } : {}),
    ...(typeof closeButton === 'boolean' ? { closeButton } : {}),
  }
}

function toModal(value: unknown): ModalInstruction | undefined {
  if (value === undefined || value === null) return undefined
  const { title, body, content, message, size } = asObject(value)
  const text = body ?? content ?? message
  if (typeof title !== 'string' || typeof text !== 'string')
    throw new Error('modal without title or body')
  return { title, body: text, size: SIZES.find((one) => one === size) ?? 'md' }
}

function parse(raw: string | null): unknown {
  if (raw === null || raw.length > RAW_MAX_LENGTH) throw new Error('instruction too long')
  const value = asObject(JSON.parse(raw))
  if (Object.values(value).some((one) => typeof one === 'string' && one.length > TEXT_MAX_LENGTH))
    throw new Error('instruction too long')
  return value
}

const clamp = (delay = DELAY_MIN_MS * 4) => Math.min(Math.max(delay, DELAY_MIN_MS), DELAY_MAX_MS)

function asObject(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('not an object')
  return value as Record<string, unknown>
}
