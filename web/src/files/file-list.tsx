import type { FileLabel } from '@gatehouse/model'
import { useState } from 'react'
import { fileMessages } from '#messages/files.ts'
import { lazyModule, LazyModuleFailed, useLazyModule } from '#ui/lazy-module.tsx'
import { RecordIcon } from '#ui/record-icon.tsx'
import { isPicture } from './file-labels.ts'
import { loadFileLinks, type FileLink } from './load-file-links.ts'
import { useSmallPreviews } from './use-small-previews.ts'
import '#styles/files.scss'

type Props = {
  /** Address of the record: `tickets/0198…`. */
  record: string
  label: string
  files: FileLabel[]
}

type Opened = { file: FileLabel; links: FileLink[] }

/** The files of a record: a picture opens on the page, everything else as a download. */
export function FileList({ record, label, files }: Props) {
  const [opened, setOpened] = useState<Opened | null>(null)
  const [failed, setFailed] = useState(false)
  const previews = useSmallPreviews(record, files)
  const dialog = useLazyModule(pictureDialog, opened !== null)
  const close = () => setOpened(null)
  const open = async (file: FileLabel) => {
    setFailed(false)
    // Loaded for each: a link opens its file for a minute only.
    const links = await loadFileLinks(record).catch(() => [])
    const link = links.find(({ id }) => id === file.id)
    if (!link) setFailed(true)
    else if (isPicture(file)) setOpened({ file, links })
    else location.assign(link.url)
  }
  return (
    <>
      <ul className="file-chips" aria-label={fileMessages.attached(label)}>
        {files.map((file) => (
          <li key={file.id}>
            {file.state === 'ready' ? (
              <button type="button" className="open-file" onClick={() => void open(file)}>
                <FilePicture key={previews[file.id]} preview={previews[file.id]} />
                <span className="name">{file.name}</span>
                <span className="size">{fileMessages.size(file.size)}</span>
              </button>
            ) : (
              <>
                <RecordIcon name="paperclip" />
                <span className="name">{file.name}</span>
                <span className="size">{fileMessages[file.state]}</span>
              </>
            )}
          </li>
        ))}
      </ul>
      <p className="refusal" role="alert">
        {failed && fileMessages.notOpened}
      </p>
      {opened && dialog && (
        <dialog.PictureDialog {...opened} record={record} files={files} onClose={close} />
      )}
      {opened && !dialog && <LazyModuleFailed part={pictureDialog} onClose={close} />}
    </>
  )
}

const pictureDialog = lazyModule(fileMessages.picture, () => import('./picture-dialog.tsx'))

/** The small preview; the icon until there is one, and if it can't be loaded. The name is beside it. */
function FilePicture({ preview }: { preview: string | undefined }) {
  const [isBroken, setBroken] = useState(false)
  if (!preview || isBroken) return <RecordIcon name="paperclip" />
  return <img src={preview} alt="" width={36} height={36} onError={() => setBroken(true)} />
}
