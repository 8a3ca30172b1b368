import type { NoticeBlock, NoticeSection } from '@gatehouse/model'
import { notice } from '#base/notice.ts'
import { isPrinted } from '#base/site.ts'
import { privacyMessages } from '#messages/privacy.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { Icon } from '#ui/icon.tsx'
import { TopicIcon } from '#ui/topic-icon.tsx'
import { InquiryForm } from './inquiry-form.tsx'
import { highlightSection } from '#boot/scroll-state.ts'
import '#ui/prose.scss'
import './contents.scss'
import './privacy.scss'

/** The generated notice; this page adds navigation and form, no claims. */
export function Privacy() {
  return (
    <div className="wrap">
      <div className="page-h notice-h">
        <div>
          <h1>{privacyMessages.title}</h1>
          <p className="lead">{privacyMessages.lastUpdated(longDate(notice.lastUpdated))}</p>
        </div>
        <Download />
      </div>
      <div className="privacy">
        <nav className="toc" aria-label={privacyMessages.sections}>
          <details className="panel">
            <summary>
              {privacyMessages.onThisPage} <Icon name="chevron-down" />
            </summary>
            <SectionLinks />
          </details>
          <div className="only-lg">
            <SectionLinks />
          </div>
        </nav>
        <div>
          <article className="prose notice">
            {notice.sections.map((section) => (
              <Section key={section.id} {...section} />
            ))}
            <p className="notice-end muted">
              {privacyMessages.version(notice.version)} · {privacyMessages.manifest}{' '}
              <span className="mono">{notice.manifestHash.slice(0, 12)}</span>
            </p>
          </article>
          <InquiryForm />
        </div>
      </div>
    </div>
  )
}

/** boot/scroll-state.ts marks the section in view. */
const SectionLinks = () => (
  <ol data-sections="" ref={highlightSection}>
    {notice.sections.map(({ id, title }) => (
      <li key={id}>
        <a href={`#${id}`}>{title}</a>
      </li>
    ))}
  </ol>
)

const Section = ({ id, title, blocks }: NoticeSection) => (
  <section id={id} tabIndex={-1}>
    <h2>{title}</h2>
    {blocks.map((block, index) => (
      <Block key={index} block={block} isOnly={blocks.filter(isTable).length === 1} />
    ))}
    {id === 'cookies' && (
      <button type="button" className="btn btn-secondary noprint" data-boot="cookies">
        {siteMessages.cookieSettings}
      </button>
    )}
  </section>
)

const isTable = ({ kind }: NoticeBlock) => kind === 'table'

/** Without a PDF the browser prints, and can save what it prints as one. */
function Download() {
  const label = (
    <>
      <TopicIcon name="file-earmark-arrow-down" />
      {specifiedPageMessages.privacy.download}
    </>
  )
  if (!isPrinted)
    return (
      <button type="button" className="btn btn-secondary noprint" data-boot="print">
        {label}
      </button>
    )
  return (
    <a
      className="btn btn-secondary noprint"
      role="button"
      href={`/privacy-notice-${notice.lastUpdated}.pdf`}
      download
    >
      {label}
    </a>
  )
}

function Block({ block, isOnly }: { block: NoticeBlock; isOnly: boolean }) {
  switch (block.kind) {
    case 'text':
      return <p>{block.text}</p>
    case 'list':
      return (
        <ul>
          {block.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )
    case 'table':
      return <NoticeTable {...block} isOnly={isOnly} />
  }
}

type NoticeTableProps = Extract<NoticeBlock, { kind: 'table' }> & { isOnly: boolean }

/** On phones each row becomes a list; `data-label` names the column. */
const NoticeTable = ({ caption, columns, rows, isOnly }: NoticeTableProps) => (
  <table className="keep">
    {/* The section's title suffices for its only table. */}
    <caption className={isOnly ? 'visually-hidden' : undefined}>{caption}</caption>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.join()}>
          {row.map((cell, index) =>
            index === 0 ? (
              <th key={index} scope="row">
                {cell}
              </th>
            ) : (
              <td key={index} data-label={columns[index]}>
                {cell}
              </td>
            ),
          )}
        </tr>
      ))}
    </tbody>
  </table>
)

/** 2025-06-15 → June 15, 2025, in any locale and time zone. */
const longDate = (date: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
