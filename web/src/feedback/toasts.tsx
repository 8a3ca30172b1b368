import { useEffect, useLayoutEffect, useRef, useState, type PointerEvent } from 'react'
import { createPortal } from 'react-dom'
import { siteMessages } from '#messages/site.ts'
import { buildStore } from '#base/store.ts'
import { Icon } from '#ui/icon.tsx'
import { RecordIcon } from '#ui/record-icon.tsx'
import { useTopDialog } from '#ui/overlay/dialog.tsx'

export const TOAST_TYPES = ['success', 'danger', 'warning', 'info', 'primary', 'secondary'] as const
type ToastType = (typeof TOAST_TYPES)[number]

export type Toast = {
  message: string
  type?: ToastType
  delay?: number
  autohide?: boolean
  closeButton?: boolean
  /** Shown under a message that came from a link. */
  note?: string
  /** A one-time action. Set by code only, never from a URL or navigation state. */
  action?: { label: string; run: () => void }
}
type Shown = Toast & { id: string }

/** The helper's default delay; the component has its own. */
const HELPER_DELAY_MS = 4000
const COMPONENT_DELAY_MS = 5000
/** Longer, as an action takes time to reach. */
const ACTION_DELAY_MS = 10_000
const VISIBLE_MAX = 3

const shown = buildStore<Shown[]>([])

/** Survives navigation: the host is in the layout. */
export function showToast(toast: Toast) {
  add(toast)
}

/** A toast without timeout; returns its close function. */
export const showWhilePending = (message: string) => add({ message, type: 'info', autohide: false })

function add(toast: Toast) {
  const delay = toast.action ? ACTION_DELAY_MS : HELPER_DELAY_MS
  const id = crypto.randomUUID()
  shown.set([{ delay, ...toast, id }, ...shown.get()])
  return () => close(id)
}

/** In the top layer, inside the topmost modal: everything outside it is inert. */
const host = typeof document === 'undefined' ? null : buildHost()

function buildHost() {
  const element = document.createElement('div')
  element.className = 'toasts'
  element.popover = 'manual'
  return element
}

/** Toasts of the page. F6 moves the focus to the newest actionable one and back: by Tab it would time out first. */
export function ToastHost() {
  const toasts = shown.use()
  const dialog = useTopDialog()
  const home = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<Element | null>(null)
  const isEmpty = toasts.length === 0
  useLayoutEffect(() => {
    if (host) (dialog ?? home.current)?.append(host)
    return () => host?.remove()
  }, [dialog])
  useLayoutEffect(() => {
    host?.togglePopover(!isEmpty)
  }, [dialog, isEmpty])
  useEffect(() => {
    const jump = (event: KeyboardEvent) => {
      const find = (selector: string) => host?.querySelector<HTMLElement>(selector)
      const target = find('[aria-keyshortcuts]') ?? find('button')
      if (event.key !== 'F6' || !target) return
      event.preventDefault()
      const isInside = host?.contains(document.activeElement)
      if (!isInside) cameFrom.current = document.activeElement
      const next = isInside ? cameFrom.current : target
      if (next instanceof HTMLElement) next.focus()
    }
    document.addEventListener('keydown', jump)
    return () => document.removeEventListener('keydown', jump)
  }, [])
  return (
    <div ref={home}>
      {host &&
        !isEmpty &&
        createPortal(
          toasts
            .slice(-VISIBLE_MAX)
            .map((toast) => <ToastCard key={toast.id} {...toast} onClose={close} />),
          host,
        )}
    </div>
  )
}

export function ToastCard({
  id,
  message,
  note,
  action,
  type = 'info',
  delay = COMPONENT_DELAY_MS,
  autohide = true,
  closeButton = true,
  onClose,
}: Shown & { onClose: (id: string) => void }) {
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isPaused = isHovered || isFocused
  const left = useRef(delay)
  useEffect(() => {
    if (!autohide || isPaused) return
    const started = Date.now()
    const timer = setTimeout(() => onClose(id), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - started
    }
  }, [id, autohide, isPaused, onClose])
  // Two types are rare; the icons of the others are there even without a network.
  const Picture = type === 'primary' || type === 'secondary' ? RecordIcon : Icon
  return (
    <div
      className={`toast-g ${type}`}
      role={type === 'danger' ? 'alert' : 'status'}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <span className="ic">
        <Picture name={ICONS[type]} />
      </span>
      <div>
        <div className="toast-message">{message}</div>
        {note && <small className="muted">{note}</small>}
        {action && (
          <button
            type="button"
            className="btn btn-secondary btn-sm"
            aria-keyshortcuts="F6"
            title={siteMessages.toastKey}
            onPointerDown={capture}
            onClick={() => {
              onClose(id)
              action.run()
            }}
          >
            {action.label}
          </button>
        )}
      </div>
      {closeButton && (
        <button
          type="button"
          className="btn btn-quiet btn-icon"
          aria-label={siteMessages.close}
          onPointerDown={capture}
          onClick={() => onClose(id)}
        >
          <Icon name="x-lg" />
        </button>
      )}
      {autohide && <i className="t" style={{ animationDuration: `${delay}ms` }} />}
    </div>
  )
}

const ICONS = {
  success: 'check-circle-fill',
  danger: 'x-octagon-fill',
  warning: 'exclamation-triangle-fill',
  info: 'info-circle-fill',
  primary: 'bell-fill',
  secondary: 'chat-left-text-fill',
} satisfies Record<ToastType, string>

/** A page that loads during the press moves the toast; the click still goes to its button. */
const capture = ({ currentTarget, pointerId }: PointerEvent) =>
  currentTarget.setPointerCapture(pointerId)

const close = (id: string) => shown.set(shown.get().filter((toast) => toast.id !== id))
