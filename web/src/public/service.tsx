import { Link, useLoaderData } from 'react-router'
import type { ServicePage } from './catalogue.ts'
import { formatPrice } from './price.ts'
import { servicesMessages } from '#messages/services.ts'
import { siteMessages } from '#messages/site.ts'
import { TopicIcon } from '#ui/topic-icon.tsx'
import { Markdown } from '#ui/markdown.tsx'
import './prose.scss'
import './services.scss'

export function ServiceDetail() {
  const { service, articles } = useLoaderData<ServicePage>()
  const { name, summary, description, includes, responseHours, docsUrl } = service
  return (
    <div className="wrap">
      <div className="page-h">
        <h1>{name}</h1>
        <p className="lead">{summary}</p>
      </div>
      <div className="contact-grid">
        <article className="prose">
          <Markdown text={description ?? ''} />
          {articles.length > 0 && (
            <>
              <h2>{servicesMessages.related}</h2>
              <ul>
                {articles.map(({ id, title, summary: short }) => (
                  <li key={id}>
                    <Link to={`/articles/${id}`}>{title}</Link>
                    {short && <> {short}</>}
                  </li>
                ))}
              </ul>
            </>
          )}
        </article>
        <aside>
          <ul className="aside-list">
            {service.sample && (
              <li>
                <span className="sample">{siteMessages.sample}</span> {servicesMessages.sampleNote}
              </li>
            )}
            <li>
              <strong>{servicesMessages.price}</strong>
              {formatPrice(service)}
            </li>
            {responseHours !== null && (
              <li>
                <strong>{servicesMessages.response}</strong>
                {servicesMessages.responseWithin(responseHours)}
              </li>
            )}
            {includes && includes.length > 0 && (
              <li>
                <strong>{servicesMessages.includes}</strong>
                {includes.join(', ')}
              </li>
            )}
            {docsUrl && (
              <li>
                <strong>{servicesMessages.documentation}</strong>
                <a href={docsUrl} rel="noopener noreferrer">
                  {docsUrl}
                </a>
              </li>
            )}
          </ul>
          <div className="acts">
            <Link className="btn btn-primary" to={`/contact?subject=${encodeURIComponent(name)}`}>
              {servicesMessages.request}
            </Link>
            <Link className="link-arrow" to="/msp/services">
              {servicesMessages.back} <TopicIcon name="arrow-right" />
            </Link>
          </div>
        </aside>
      </div>
    </div>
  )
}
