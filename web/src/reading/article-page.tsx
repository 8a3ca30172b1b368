import { Link } from 'react-router'
import { owner } from '#base/site.ts'
import { readingPath } from '#data/reading.ts'
import { readingMessages } from '#messages/reading.ts'
import { ContactLines } from '#ui/contact-lines.tsx'
import { Markdown } from '#ui/markdown.tsx'
import { ArticleDate } from './article-date.tsx'
import type { ReadingOf } from './reading-data.ts'
import '#ui/prose.scss'

export const ArticlePage = ({ article, service }: ReadingOf<'article'>) => (
  <>
    <div className="page-h">
      <p className="muted">
        {article.kind}
        {article.publishedAt && ', '}
        <ArticleDate at={article.publishedAt} />
      </p>
      <h1>{article.title}</h1>
      {article.summary && <p className="lead">{article.summary}</p>}
    </div>
    <div className="reading-grid">
      <article className="prose">
        <Markdown text={article.body} />
        {article.sourceUrl && (
          <p className="source">
            {readingMessages.source}:{' '}
            <a href={article.sourceUrl} rel="noopener noreferrer">
              {article.sourceUrl}
            </a>
          </p>
        )}
      </article>
      <aside className="terms-box">
        {service && (
          <>
            <h2>{service.name}</h2>
            <p className="muted">{service.summary}</p>
            <Link className="btn btn-secondary" to={readingPath('services', service.slug)}>
              {readingMessages.aboutService}
            </Link>
          </>
        )}
        <p className="contact-lines">
          {readingMessages.questions} <a href={`mailto:${owner.email}`}>{owner.email}</a>
        </p>
        <ContactLines />
      </aside>
    </div>
  </>
)
