import { useEffect, useState } from 'react'
import { getJson } from '#data/failure.ts'
import { contactMessages } from '#messages/contact.ts'
import { Icon } from '#ui/icon.tsx'

/** The service that the ticket will name, which a page's link has set; the subject may say something else. */
export function ChosenService({ id, onRemove }: { id: string; onRemove: () => void }) {
  const [name, setName] = useState('')
  useEffect(() => {
    const leaving = new AbortController()
    getJson<{ name?: unknown }>(`services/${encodeURIComponent(id)}`, leaving.signal).then(
      (service) => setName(typeof service.name === 'string' ? service.name : ''),
      // Sending reports it.
      () => setName(''),
    )
    return () => leaving.abort()
  }, [id])
  if (!name) return null
  return (
    <div className="note info full" role="status">
      <Icon name="info-circle-fill" />
      <p>{contactMessages.aboutService(name)}</p>
      <button type="button" className="btn btn-secondary btn-sm" onClick={onRemove}>
        {contactMessages.removeService}
      </button>
    </div>
  )
}
