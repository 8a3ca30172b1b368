import { Link } from 'react-router'
import { formatNumber } from '#base/format.ts'
import { readingPath } from '#data/reading.ts'
import { readingMessages } from '#messages/reading.ts'
import { TopicIcon } from '#ui/topic-icon.tsx'
import { ArticleDate, ArticleTime } from './article-date.tsx'
import type { ArticleRow, ReadingOf } from './reading-data.ts'

export function ArticlesPage({ title, ...index }: ReadingOf<'articles'>) {
  const { maintenance, articles, kind, older } = index
  return (
    <>
      <div className="page-h">
        <h1>{title}</h1>
        <p className="lead">{readingMessages.articlesLead}</p>
      </div>
      {maintenance && <MaintenanceBand {...maintenance} />}
      <Kinds {...index} />
      {articles.length === 0 && (
        <p className="empty">{kind ? readingMessages.noneOfKind : readingMessages.none}</p>
      )}
      <ul className="articles">
        {articles.map((article) => (
          <li key={article.id}>
            <p className="muted">
              <strong>{article.kind}</strong>
              <ArticleDate at={article.publishedAt} />
            </p>
            <div>
              <h2>
                <Link to={readingPath('articles', article.slug)}>{article.title}</Link>
              </h2>
              {article.summary && <p>{article.summary}</p>}
            </div>
          </li>
        ))}
      </ul>
      {older && (
        <Link className="btn btn-secondary" to={`?${query({ kind, older })}`}>
          {readingMessages.older}
        </Link>
      )}
    </>
  )
}

const MaintenanceBand = ({ title, slug, summary, startsAt }: ArticleRow) => (
  <div className="maintenance">
    <TopicIcon name="calendar-event" />
    <div>
      <p>
        <strong>{title}</strong>
      </p>
      <p>
        <ArticleTime at={startsAt} /> {summary}
      </p>
    </div>
    <Link to={readingPath('articles', slug)} aria-label={readingMessages.readArticle(title)}>
      {readingMessages.read}
    </Link>
  </div>
)

/** Links, so that each kind has an address. */
function Kinds({ kinds, kind }: Pick<ReadingOf<'articles'>, 'kinds' | 'kind'>) {
  if (kinds.length < 2) return null
  const total = kinds.reduce((sum, { count }) => sum + count, 0)
  return (
    <nav className="kinds" aria-label={readingMessages.kinds}>
      <Link to="/articles" aria-current={kind === null || undefined}>
        {readingMessages.all} <span className="n">{formatNumber(total)}</span>
      </Link>
      {kinds.map(({ value, label, count }) => (
        <Link
          key={value}
          to={`/articles?${query({ kind: value })}`}
          aria-current={kind === value || undefined}
        >
          {label} <span className="n">{formatNumber(count)}</span>
        </Link>
      ))}
    </nav>
  )
}

const query = (given: Record<string, string | null>) =>
  new URLSearchParams(
    Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
