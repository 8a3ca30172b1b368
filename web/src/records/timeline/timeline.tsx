import { useState } from 'react'
import { formatInstant } from '#base/dates.ts'
import { showToast } from '#feedback/toasts.tsx'
import { detailMessages } from '#messages/detail.ts'
import { historyMessages } from '#messages/history.ts'
import { recordMessages } from '#messages/record.ts'
import { definitionAt, type Definition } from '#data/definitions.ts'
import type { Timeline as TimelineOptions } from '#data/presentation.ts'
import type { RecordData } from '#data/records.ts'
import { readFileLabels } from '#files/file-labels.ts'
import { isLong } from '#forms/inputs/types.ts'
import { BusyButton } from '#ui/busy-button.tsx'
import { lazyModule, LazyModuleFailed, useLazyModule } from '#ui/lazy-module.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import { Difference } from './diff-view.tsx'
import { newestOf, readUntil, type Feed, type TimelineEntry } from './feeds.ts'
import { historyHeading, shownChanges, type HistoryEntry } from './load-history.ts'

const PAGE_SIZE = 20

type Props = {
  definition: Definition
  options: TimelineOptions | null
  /** Undefined while loading, null if it failed. */
  feeds: Feed[] | null | undefined
  onRetry: () => void
}

/** A record's changes and messages by time, newest first. */
export function Timeline({ definition, options, feeds, onRetry }: Props) {
  return (
    <section className="act" aria-labelledby="activity" aria-busy={feeds === undefined}>
      <div className="h">
        <h2 id="activity">{detailMessages.activity}</h2>
      </div>
      {feeds === null && <LoadFailed what={detailMessages.theActivity} onRetry={onRetry} />}
      {feeds && <Entries definition={definition} options={options} first={feeds} />}
    </section>
  )
}

type EntriesProps = Pick<Props, 'definition' | 'options'> & { first: Feed[] }

function Entries({ definition, options, first }: EntriesProps) {
  const [known, setKnown] = useState({ first, feeds: first, count: PAGE_SIZE })
  const [isBusy, setBusy] = useState(false)
  // After a save the newest page replaces what was read before.
  if (known.first !== first) setKnown({ first, feeds: first, count: PAGE_SIZE })
  const { shown, hasMore } = newestOf(known.feeds, known.count)

  async function showOlder() {
    setBusy(true)
    try {
      const count = known.count + PAGE_SIZE
      const feeds = await readUntil(known.feeds, count)
      setKnown((now) => (now.first === first ? { first, feeds, count } : now))
    } catch {
      showToast({ message: historyMessages.historyFailed, type: 'danger' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <ol className="route">
        {shown.map((entry) => (
          <li key={entry.key}>
            <span className="node" aria-hidden="true" />
            <Entry definition={definition} options={options} entry={entry} />
            <time dateTime={entry.at}>{formatInstant(entry.at)}</time>
          </li>
        ))}
      </ol>
      {hasMore && (
        <BusyButton
          className="btn btn-quiet btn-sm"
          isBusy={isBusy}
          onClick={() => void showOlder()}
        >
          {detailMessages.older}
        </BusyButton>
      )}
    </>
  )
}

type EntryProps = Pick<Props, 'definition' | 'options'> & { entry: TimelineEntry }

function Entry({ definition, options, entry }: EntryProps) {
  if (entry.kind === 'change') return <Change definition={definition} step={entry.step} />
  return options && <Message options={options} record={entry.record} />
}

function Message({ options, record }: { options: TimelineOptions; record: RecordData }) {
  const isNote = options.note !== undefined && record[options.note] === true
  const author = String(record[options.author] ?? '')
  return (
    <>
      {isNote ? detailMessages.noteBy(author) : detailMessages.messageBy(author)}
      <p className={isNote ? 'inside-txt whole' : 'whole'}>{String(record[options.text] ?? '')}</p>
      <MessageFiles model={options.model} record={record} />
    </>
  )
}

function MessageFiles({ model, record }: { model: string; record: RecordData }) {
  const labels = Object(record['labels']) as Record<string, unknown>
  const files = Object.keys(labels).flatMap((name) => readFileLabels(labels, name))
  const loaded = useLazyModule(fileList, files.length > 0)
  if (files.length === 0) return null
  if (!loaded) return <LazyModuleFailed part={fileList} />
  const at = formatInstant(String(record['createdAt'] ?? ''))
  // Clients get no definition of a model that isn't in the menu.
  const { routeName = model } = definitionAt(model) ?? {}
  return (
    <loaded.FileList record={`${routeName}/${String(record['id'])}`} label={at} files={files} />
  )
}

const fileList = lazyModule(recordMessages.files, () => import('#files/file-list.tsx'))

/** What changed, in words; long texts are only named. */
function Change({ definition, step }: { definition: Definition; step: HistoryEntry }) {
  const changes = step.action === 'update' ? shownChanges(definition, step) : []
  return (
    <>
      {historyHeading(step)}
      {changes.map(({ field, ...change }) => (
        <p key={field.name}>
          <span className="what">{field.label}</span>{' '}
          {!isLong(field) && <Difference field={field} {...change} />}
        </p>
      ))}
    </>
  )
}
