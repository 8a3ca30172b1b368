import type { FileLabel } from '@gatehouse/model'
import { useEffect, useId, useState } from 'react'
import { fileMessages } from '#messages/files.ts'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { RecordIcon } from '#ui/record-icon.tsx'
import { isPicture } from './file-labels.ts'
import { loadFileLinks, type FileLink } from './load-file-links.ts'

/** Before the links expire, which is a minute after they were loaded. */
const RELOAD_MS = 45_000

type Props = {
  record: string
  /** All files of the list: its pictures are shown one after the other. */
  files: FileLabel[]
  /** The picture to begin with. */
  file: FileLabel
  links: FileLink[]
  onClose: () => void
}

/** Shows the pictures of a list, by their large previews. */
export function PictureDialog({ record, files, file, links: first, onClose }: Props) {
  const title = useId()
  const [links, setLinks] = useState(first)
  const [shownId, setShownId] = useState(file.id)
  const pictures = files.filter((one) => isPicture(one) && links.some(({ id }) => id === one.id))
  const place = pictures.findIndex(({ id }) => id === shownId)
  const shown = pictures[place]
  const link = links.find(({ id }) => id === shownId)
  const step = (by: number) => {
    const next = pictures[place + by]
    if (next) setShownId(next.id)
  }

  useEffect(() => {
    const timer = setInterval(() => {
      // With the old ones what is shown stays.
      loadFileLinks(record).then(setLinks, () => {})
    }, RELOAD_MS)
    return () => clearInterval(timer)
  }, [record])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      if (event.key === 'ArrowLeft') step(-1)
      else if (event.key === 'ArrowRight') step(1)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  // Somebody took it out of the record.
  useEffect(() => {
    if (!shown || !link) onClose()
  })
  if (!shown || !link) return null

  return (
    <Dialog className="file-preview" titleId={title} isOpen onClose={onClose}>
      <div className="box">
        <div className="head">
          <h2 id={title}>{shown.name}</h2>
          <div className="tools">
            {pictures.length > 1 && (
              <>
                <StepButton
                  icon="chevron-left"
                  label={fileMessages.previousPicture}
                  isLast={place === 0}
                  onStep={() => step(-1)}
                />
                <span className="place" role="status">
                  <span className="visually-hidden">{shown.name}, </span>
                  {fileMessages.place(place + 1, pictures.length)}
                </span>
                <StepButton
                  icon="chevron-right"
                  label={fileMessages.nextPicture}
                  isLast={place === pictures.length - 1}
                  onStep={() => step(1)}
                />
              </>
            )}
            <a className="btn btn-quiet btn-sm" href={link.url} target="_blank" rel="noreferrer">
              {fileMessages.original}
            </a>
            <a className="btn btn-quiet btn-sm" href={link.url} download={shown.name}>
              {fileMessages.download}
            </a>
          </div>
          <button
            type="button"
            className="btn btn-quiet btn-icon"
            aria-label={fileMessages.close}
            onClick={onClose}
          >
            <RecordIcon name="x" />
          </button>
        </div>
        <Picture key={shown.id} name={shown.name} link={link} />
      </div>
    </Dialog>
  )
}

type StepProps = { icon: string; label: string; isLast: boolean; onStep: () => void }

/** Not `disabled`, which would lose the focus at the last picture. */
const StepButton = ({ icon, label, isLast, onStep }: StepProps) => (
  <button
    type="button"
    className="btn btn-quiet btn-icon"
    aria-label={label}
    aria-disabled={isLast}
    onClick={onStep}
  >
    <RecordIcon name={icon} />
  </button>
)

/** The large preview, otherwise the original. The first link is used, as another one would load the picture again. */
function Picture({ name, link }: { name: string; link: FileLink }) {
  const [sources, setSources] = useState(() => [
    ...(link.previews ? [link.previews.large] : []),
    link.url,
  ])
  const [source] = sources
  if (!source)
    return (
      <p className="refusal" role="alert">
        {fileMessages.notOpened}
      </p>
    )
  return <img src={source} alt={name} onError={() => setSources(sources.slice(1))} />
}
