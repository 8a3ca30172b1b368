import { Link, useLoaderData } from 'react-router'
import type { Catalogue, Service } from './catalogue.ts'
import { formatPrice } from './price.ts'
import { servicesMessages } from '#messages/services.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { servicePath } from '#base/service-path.ts'
import { SectionHead } from '#ui/section-head.tsx'
import { TopicIcon } from '#ui/topic-icon.tsx'
import '#ui/empty.scss'
import './services.scss'

export function Services() {
  const { services } = useLoaderData<Catalogue>()
  const isSample = services.some(({ sample }) => sample)
  return (
    <div className="wrap catalogue">
      <div className="page-h">
        <h1>{servicesMessages.title}</h1>
        <p className="lead">{servicesMessages.lead}</p>
        {isSample && (
          <p className="muted">
            <span className="sample">{siteMessages.sample}</span> {servicesMessages.sampleNote}
          </p>
        )}
      </div>
      {services.length === 0 && <p className="empty">{specifiedPageMessages.noData}</p>}
      {byCategory(services).map(([category, inside]) => (
        <section className="split catalogue-part" key={category}>
          <SectionHead title={category} isSample={false} />
          <ul className="offers">
            {inside.map((service) => (
              <Offer key={service.id} {...service} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

const Offer = ({ name, slug, icon, summary, includes, ...rest }: Service) => (
  <li>
    <span className="ico">
      <TopicIcon name={icon} />
    </span>
    <div>
      <h3>
        <Link to={servicePath(slug)}>{name}</Link>
      </h3>
      <p>{summary}</p>
      {includes && includes.length > 0 && (
        <ul className="includes" aria-label={servicesMessages.includes}>
          {includes.map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
      )}
    </div>
    <div className="terms">
      <p className="price">{formatPrice(rest)}</p>
      {rest.responseHours !== null && (
        <p className="muted">
          {servicesMessages.response} {servicesMessages.responseWithin(rest.responseHours)}
        </p>
      )}
      <Link className="link-arrow" to={`/contact?subject=${encodeURIComponent(name)}`}>
        {servicesMessages.request} <TopicIcon name="arrow-right" />
        <span className="visually-hidden">: {name}</span>
      </Link>
    </div>
  </li>
)

/** Categories in order of their first service. */
function byCategory(services: Service[]) {
  const groups = new Map<string, Service[]>()
  for (const service of services)
    groups.set(service.category, [...(groups.get(service.category) ?? []), service])
  return [...groups]
}
