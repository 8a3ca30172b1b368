import { Link } from 'react-router'
import { readingPath } from '#data/reading.ts'
import { readingMessages } from '#messages/reading.ts'
import { Markdown } from '#ui/markdown.tsx'
import type { ReadingOf } from './reading-data.ts'
import '#ui/prose.scss'

export const PlainIndex = ({ model, title, records, older }: ReadingOf<'records'>) => (
  <>
    <div className="page-h">
      <h1>{title}</h1>
    </div>
    {records.length === 0 && <p className="empty">{readingMessages.none}</p>}
    <ul className="articles">
      {records.map((record) => (
        <li key={record.key}>
          <div>
            <h2>
              <Link to={readingPath(model, record.key)}>{record.title}</Link>
            </h2>
            {record.lead && <p>{record.lead}</p>}
          </div>
        </li>
      ))}
    </ul>
    {older && (
      <Link className="btn btn-secondary" to={`?${new URLSearchParams({ older })}`}>
        {readingMessages.older}
      </Link>
    )}
  </>
)

export const PlainPage = ({ title, lead, facts, texts }: ReadingOf<'record'>) => (
  <>
    <div className="page-h">
      <h1>{title}</h1>
      {lead && <p className="lead">{lead}</p>}
    </div>
    <div className="reading-grid">
      <article className="prose">
        {texts.map(({ label, text }) => (
          <section key={label}>
            {texts.length > 1 && <h2>{label}</h2>}
            <Markdown text={text} />
          </section>
        ))}
      </article>
      {facts.length > 0 && (
        <aside className="terms-box">
          <dl>
            {facts.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </aside>
      )}
    </div>
  </>
)
