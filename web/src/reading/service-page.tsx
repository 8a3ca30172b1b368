import { Link } from 'react-router'
import { openingHours, owner } from '#base/site.ts'
import { readingPath } from '#data/reading.ts'
import { readingMessages } from '#messages/reading.ts'
import { servicesMessages } from '#messages/services.ts'
import { ContactLines, EmergencyLine } from '#ui/contact-lines.tsx'
import { Markdown } from '#ui/markdown.tsx'
import { Includes } from './includes.tsx'
import { priceOf } from './price.ts'
import type { ReadingOf, Service } from './reading-data.ts'
import { requestPath } from './request-path.ts'
import '#ui/prose.scss'

/** Price and button come before the text on a narrow screen: the styles order them. */
export const ServicePage = ({ service, articles }: ReadingOf<'service'>) => (
  <>
    <div className="page-h">
      <h1>{service.name}</h1>
      <p className="lead">{service.summary}</p>
    </div>
    <div className="reading-grid">
      <article className="prose">
        <Includes parts={service.includes} />
        <Markdown text={service.description} />
        {articles.length > 0 && (
          <>
            <h2>{servicesMessages.related}</h2>
            <ul>
              {articles.map(({ id, title, slug, summary }) => (
                <li key={id}>
                  <Link to={readingPath('articles', slug)}>{title}</Link>
                  {summary && <> {summary}</>}
                </li>
              ))}
            </ul>
          </>
        )}
      </article>
      <Terms {...service} />
    </div>
  </>
)

function Terms(service: Service) {
  const { amount, unit } = priceOf(service)
  return (
    <aside className="terms-box">
      <p className="price">{amount}</p>
      {unit !== null && <p className="muted">{servicesMessages.withoutVat(unit)}</p>}
      <Facts {...service} />
      <Link className="btn btn-primary" to={requestPath(service)}>
        {servicesMessages.request}
      </Link>
      <ContactLines />
      <p className="contact-lines">
        {readingMessages.writeTo} <a href={`mailto:${owner.email}`}>{owner.email}</a>
      </p>
      <EmergencyLine />
    </aside>
  )
}

function Facts({ responseHours, termMonths, noticeDays }: Service) {
  const facts = [
    [servicesMessages.response, responseHours && servicesMessages.responseTime(responseHours)],
    [servicesMessages.hours, openingHours.join(', ')],
    [servicesMessages.term, termMonths !== null && months(termMonths)],
    [servicesMessages.notice, noticeDays !== null && days(noticeDays)],
  ] as const
  const shown = facts.filter(([, value]) => value)
  if (shown.length === 0) return null
  return (
    <dl>
      {shown.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const months = (count: number) =>
  count === 0 ? servicesMessages.noTerm : servicesMessages.months(count)
const days = (count: number) =>
  count === 0 ? servicesMessages.noNotice : servicesMessages.days(count)
