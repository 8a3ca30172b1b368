import { Link, useLoaderData } from 'react-router'
import { getJson } from '#data/failure.ts'
import { formatInstant } from '#base/dates.ts'
import { systemMessages } from '#messages/system.ts'
import { loadMails } from './mails.ts'
import { Fact, type Tone } from './fact.tsx'
import { FilesFact, type FilesState } from './files-fact.tsx'
import { UndeliveredMails } from './undelivered-mails.tsx'
import '#styles/desk.scss'

type RejectedPurge = { model: string; id: string; refusals: number; reason: string }

type System = {
  release: string
  api: string
  notice: string
  startedAt: string
  migrations: { latest: string | null; missing: string[]; unknown: string[] }
  jobs: { name: string; waiting: number; failed: number }[]
  mails: { waiting: number; oldestSeconds: number; dead: number; hasRelay: boolean }
  trash: { refused: { count: number; records: RejectedPurge[] } }
  identity: {
    isUp: boolean
    confirmedAt: string | null
    /** Missing on servers of an older release. */
    revocation?: keyof typeof systemMessages.revocations
  }
  backup: { isWatched: boolean; finishedAt: string | null }
  /** Missing on servers of an older release. */
  files?: FilesState | null
}

const MAIL_OVERDUE_S = 900
const BACKUP_OVERDUE_MS = 26 * 3_600_000
const SECONDS_PER_MINUTE = 60

export async function loadSystem(signal: AbortSignal) {
  const [system, undelivered] = await Promise.all([
    getJson<System>('system', signal),
    loadMails(null, signal),
  ])
  return { system, undelivered, now: Date.now() }
}

export function System() {
  const { system, undelivered, now } = useLoaderData<Awaited<ReturnType<typeof loadSystem>>>()
  const { migrations, jobs, identity } = system
  return (
    <div className="wrap desk">
      <div className="page-h">
        <h1>{systemMessages.title}</h1>
        <p className="lead">{systemMessages.lead}</p>
      </div>
      <dl className="facts">
        <Fact label={systemMessages.release} tone="success">
          {system.release} · {systemMessages.api(system.api)} ·{' '}
          {systemMessages.notice(system.notice)}
        </Fact>
        <Fact label={systemMessages.since} tone="success">
          {formatInstant(system.startedAt)}
        </Fact>
        <Fact
          label={systemMessages.migrations}
          tone={
            migrations.missing.length > 0
              ? 'danger'
              : migrations.unknown.length > 0
                ? 'warning'
                : 'success'
          }
        >
          {migrations.missing.length > 0
            ? systemMessages.missing(migrations.missing)
            : migrations.unknown.length > 0
              ? systemMessages.unknown(migrations.unknown)
              : systemMessages.upToDate(migrations.latest ?? '')}
        </Fact>
        <Fact
          label={systemMessages.jobs}
          tone={jobs.some(({ failed }) => failed > 0) ? 'danger' : 'success'}
        >
          {jobs.map(({ name, waiting, failed }) => (
            <div key={name}>{systemMessages.job(name, waiting, failed)}</div>
          ))}
          {jobs.some(({ failed }) => failed > 0) && <div>{systemMessages.jobsFailed}</div>}
        </Fact>
        <Mails {...system.mails} />
        <Trash {...system.trash.refused} />
        <Fact label={systemMessages.identity} tone={identity.isUp ? 'success' : 'danger'}>
          {identity.isUp ? systemMessages.identityUp : systemMessages.identityDown}
          {identity.confirmedAt && ` (${formatInstant(identity.confirmedAt)})`}
        </Fact>
        {identity.revocation && (
          <Fact
            label={systemMessages.revocation}
            tone={identity.revocation === 'checked' ? 'success' : 'warning'}
          >
            {systemMessages.revocations[identity.revocation]}
          </Fact>
        )}
        {system.files !== undefined && <FilesFact files={system.files} />}
        <Backup {...system.backup} now={now} />
      </dl>
      <UndeliveredMails first={undelivered} />
    </div>
  )
}

function Trash({ count, records }: System['trash']['refused']) {
  if (count === 0)
    return (
      <Fact label={systemMessages.trash} tone="success">
        {systemMessages.trashFine}
      </Fact>
    )
  return (
    <Fact label={systemMessages.trash} tone="warning">
      {systemMessages.trashRefused(count)}
      {records.map(({ model, id, reason }) => (
        <div key={id}>
          <Link to={`/${model}/${id}?trash=true`}>
            {systemMessages.refusedRecord(
              model,
              id,
              systemMessages.refusedReasons[reason] ?? systemMessages.refusedOther,
            )}
          </Link>
        </div>
      ))}
    </Fact>
  )
}

function Mails({ waiting, oldestSeconds, dead, hasRelay }: System['mails']) {
  const isStuck = oldestSeconds > MAIL_OVERDUE_S
  const isLeaving = hasRelay && !isStuck
  const text = [
    waiting === 0
      ? systemMessages.mailsGone
      : systemMessages.mailsWaiting(waiting, Math.round(oldestSeconds / SECONDS_PER_MINUTE)),
    ...(hasRelay ? [] : [systemMessages.mailsOff]),
    ...(hasRelay && isStuck ? [systemMessages.mailsStuck] : []),
    ...(dead > 0 ? [systemMessages.mailsDead(dead)] : []),
  ]
  return (
    <Fact
      label={systemMessages.mails}
      tone={!isLeaving ? 'danger' : dead > 0 ? 'warning' : 'success'}
    >
      {text.join(' ')}
    </Fact>
  )
}

function Backup({ isWatched, finishedAt, now }: System['backup'] & { now: number }) {
  const [tone, text] = backupState(isWatched, finishedAt, now)
  return (
    <Fact label={systemMessages.backup} tone={tone}>
      {text}
    </Fact>
  )
}

function backupState(isWatched: boolean, finishedAt: string | null, now: number): [Tone, string] {
  if (!isWatched) return ['warning', systemMessages.backupUnwatched]
  if (finishedAt === null) return ['danger', systemMessages.backupNever]
  const at = formatInstant(finishedAt)
  return now - Date.parse(finishedAt) > BACKUP_OVERDUE_MS
    ? ['danger', systemMessages.backupOld(at)]
    : ['success', systemMessages.backupFine(at)]
}
