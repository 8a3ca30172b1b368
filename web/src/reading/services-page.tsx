import { Link } from 'react-router'
import { readingPath } from '#data/reading.ts'
import { servicesMessages } from '#messages/services.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { TopicIcon } from '#ui/topic-icon.tsx'
import { ContactLines } from '#ui/contact-lines.tsx'
import { Includes } from './includes.tsx'
import { priceOf } from './price.ts'
import type { ReadingOf, ServiceRow } from './reading-data.ts'
import { requestPath } from './request-path.ts'

export const ServicesPage = ({ title, services }: ReadingOf<'services'>) => (
  <>
    <div className="page-h">
      <h1>{title}</h1>
      <p className="lead">{servicesMessages.lead}</p>
      <ContactLines />
    </div>
    {services.length === 0 && <p className="empty">{specifiedPageMessages.noData}</p>}
    {byCategory(services).map(([category, inside]) => (
      <section className="split catalogue-part" key={category}>
        <div className="sect-h">
          <h2>{category}</h2>
        </div>
        <ul className="offers">
          {inside.map((service) => (
            <Offer key={service.id} {...service} />
          ))}
        </ul>
      </section>
    ))}
  </>
)

function Offer(service: ServiceRow) {
  const { name, slug, icon, summary, includes, responseHours } = service
  const { amount, unit } = priceOf(service)
  return (
    <li>
      <div className="offer">
        <h3>
          <span className="ico">
            <TopicIcon name={icon} />
          </span>
          <Link to={readingPath('services', slug)}>{name}</Link>
        </h3>
        <p>{summary}</p>
        <Includes parts={includes} />
      </div>
      <div className="terms">
        <p className="price">{amount}</p>
        {unit && <p className="muted">{unit}</p>}
        {responseHours !== null && (
          <p className="muted">
            {servicesMessages.response} {servicesMessages.responseWithin(responseHours)}
          </p>
        )}
        <Link className="btn btn-secondary" to={requestPath(service)}>
          {servicesMessages.request}
          <span className="visually-hidden">: {name}</span>
        </Link>
      </div>
    </li>
  )
}

/** Categories in order of their first service. */
function byCategory(services: ServiceRow[]) {
  const groups = new Map<string, ServiceRow[]>()
  for (const service of services)
    groups.set(service.category, [...(groups.get(service.category) ?? []), service])
  return [...groups]
}
