import type { FileLabel } from '@gatehouse/model'
import { fileMessages } from '#messages/files.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import type { FileInputState } from './use-file-input.ts'
import type { Upload } from './use-uploads.ts'
import '#styles/files.scss'

/** Files of an input: those that are uploaded, and uploads that run or failed. */
export function FileChips({ state }: { state: FileInputState }) {
  const { label, files, uploads, isEmpty, removeFile, retry, cancel } = state
  if (isEmpty) return null
  return (
    <ul className="file-chips" aria-label={fileMessages.attached(label)}>
      {files.map((file) => (
        <li key={file.id}>
          <RecordIcon name="paperclip" />
          <span className="name">{file.name}</span>
          <span className="size">{noteOf(file)}</span>
          <button
            type="button"
            className="btn btn-quiet btn-icon btn-sm"
            aria-label={fileMessages.remove(file.name)}
            onClick={() => removeFile(file)}
          >
            <RecordIcon name="x" />
          </button>
        </li>
      ))}
      {uploads.map((upload) => (
        <UploadChip
          key={upload.key}
          upload={upload}
          onRetry={() => retry(upload)}
          onRemove={() => cancel(upload)}
        />
      ))}
    </ul>
  )
}

const noteOf = ({ size, state }: FileLabel) =>
  state === 'unchecked' ? fileMessages.unchecked : fileMessages.size(size)

type ChipProps = { upload: Upload; onRetry: () => void; onRemove: () => void }

function UploadChip({ upload, onRetry, onRemove }: ChipProps) {
  const { file, sent, failure, canRetry } = upload
  const percent = file.size === 0 ? 0 : Math.floor((sent / file.size) * 100)
  return (
    <li className={failure === null ? undefined : 'failed'}>
      <RecordIcon name="paperclip" />
      <span className="name">{file.name}</span>
      {failure === null ? (
        <span className="size">
          <progress max={100} value={percent} aria-label={file.name} />
          {percent < 100 ? fileMessages.uploading(percent) : fileMessages.checking}
        </span>
      ) : (
        <span className="size" role="alert">
          {failure}
        </span>
      )}
      {failure !== null && canRetry && (
        <button
          type="button"
          className="btn btn-quiet btn-icon btn-sm"
          aria-label={fileMessages.retry(file.name)}
          onClick={onRetry}
        >
          <RecordIcon name="arrow-clockwise" />
        </button>
      )}
      <button
        type="button"
        className="btn btn-quiet btn-icon btn-sm"
        aria-label={
          failure === null ? fileMessages.cancel(file.name) : fileMessages.remove(file.name)
        }
        onClick={onRemove}
      >
        <RecordIcon name="x" />
      </button>
    </li>
  )
}

/** Why files were not taken, and which arrived. */
export const FileNews = ({ state }: { state: FileInputState }) => (
  <>
    <p className="refusal" role="alert">
      {state.refusal}
    </p>
    <p className="visually-hidden" role="status">
      {state.news}
    </p>
  </>
)

/** On a phone: a photo taken now. */
export const CameraButton = ({ state, toThis }: { state: FileInputState; toThis?: string }) => (
  <label className={`btn btn-quiet camera${toThis ? '' : ' btn-sm'}`}>
    <input
      type="file"
      className="visually-hidden"
      accept="image/*"
      capture="environment"
      onChange={state.takeChosen}
    />
    {fileMessages.camera}
    {toThis && <span className="visually-hidden"> {toThis}</span>}
  </label>
)
