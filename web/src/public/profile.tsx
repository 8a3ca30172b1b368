import type { Profile as Content } from '@gatehouse/model'
import { Link } from 'react-router'
import { profileMessages } from '#messages/profile.ts'
import { profile } from '#base/profile.ts'
import { owner } from '#base/site.ts'
import { HeroIllustration, PROJECT_ILLUSTRATIONS } from '#ui/landing-illustration.tsx'
import { Initials } from '#ui/initials.tsx'
import { SampleNote } from '#ui/sample-note.tsx'
import { SectionHead } from '#ui/section-head.tsx'
import { TopicIcon } from '#ui/topic-icon.tsx'
import '#ui/illustration.scss'
import '#ui/initials.scss'
import '#ui/meter.scss'
import './hero.scss'
import './profile.scss'

export const Profile = () => (
  <>
    <Hero />
    {profile.certifications.length > 0 && <Certifications />}
    {profile.expertise.length > 0 && <Expertise />}
    {profile.projects.length > 0 && <Projects />}
    {profile.tools.length > 0 && <Tools />}
    <Philosophy />
    <Closing />
    {profile.sample && (
      <div className="wrap">
        <SampleNote text={profileMessages.sampleNote} />
      </div>
    )}
  </>
)

/** In characters; a longer name is set smaller to keep the rest above the fold. */
const NAME_MAX = 30

const Hero = () => (
  <section className="hero wrap">
    <div className="hero-top">
      <Initials name={owner.name} />
      <div>
        <h1 className={owner.name.length > NAME_MAX ? 'long' : undefined}>{owner.name}</h1>
        <p className="title">{owner.title}</p>
      </div>
      <div>
        <p className="statement">
          {profile.headline} {profile.lead}
        </p>
        <Actions to="/msp/services" label={profileMessages.managedServices} />
      </div>
    </div>
    <figure>
      <HeroIllustration />
    </figure>
    <ol className="gates">
      {profile.gates.map(({ title, text }, index) => (
        <li key={title}>
          <strong>
            <span className="stop-no">{index + 1}</span>
            {title}
          </strong>
          {text}
        </li>
      ))}
    </ol>
  </section>
)

const Actions = ({ to, label }: { to: string; label: string }) => (
  <div className="acts">
    <Link className="btn btn-primary" to="/contact">
      {profileMessages.getInTouch}
    </Link>
    <Link className="link-arrow" to={to}>
      {label} <TopicIcon name="arrow-right" />
    </Link>
  </div>
)

const Certifications = () => (
  <section className="wrap">
    <SectionHead className="creds-h" title={profileMessages.certifications}>
      {profile.certifications.every(({ url }) => url) && profileMessages.certificationsNote}
    </SectionHead>
    <ul className="creds">
      {profile.certifications.map((certification) => (
        <li key={certification.name}>
          <Certification {...certification} />
        </li>
      ))}
    </ul>
  </section>
)

const Certification = ({ name, issuer, year, url }: Content['certifications'][number]) => {
  const text = (
    <>
      <strong>
        {name}
        {url && <TopicIcon name="box-arrow-up-right" />}
      </strong>
      <span>{profileMessages.certification(issuer, year)}</span>
    </>
  )
  return url ? (
    <a href={url} rel="noopener">
      {text}
    </a>
  ) : (
    text
  )
}

const METER = { first: 70, step: 4, most: 95 }

/** As specified, by rank rather than project count: hidden from assistive technology. */
const meterPercent = (index: number) => Math.min(METER.most, METER.first + METER.step * index)

/** Ranked ascending, shown descending: the longest bar is on top. */
const AREAS = profile.expertise
  .toSorted((one, other) => one.projects - other.projects)
  .map((area, index) => ({ ...area, percent: meterPercent(index) }))
  .toReversed()

const Expertise = () => (
  <section className="sect wrap">
    <div className="split">
      <SectionHead title={profileMessages.expertise}>
        {profileMessages.counted(AREAS.length)}
      </SectionHead>
      <ul className="schedule">
        {AREAS.map(({ name, icon, description, projects, percent }) => (
          <li key={name}>
            <span className="ico">
              <TopicIcon name={icon} />
            </span>
            <div>
              <h3>{name}</h3>
              <p>{description}</p>
            </div>
            <div className="bar" aria-hidden="true">
              <Meter percent={percent} />
            </div>
            <div className="cnt num">
              <b>{projects}</b>
              <span>{profileMessages.projects(projects)}</span>
            </div>
          </li>
        ))}
      </ul>
    </div>
  </section>
)

/** SVG: the content security policy blocks style attributes. */
const Meter = ({ percent }: { percent: number }) => (
  <svg className="meter">
    <rect width={`${percent}%`} height="100%" />
  </svg>
)

const Projects = () => (
  <section className="sect wrap">
    <SectionHead title={profileMessages.cases} />
    {profile.projects.map(({ title, client, text, measure, before, after, builtWith, plan }) => {
      const Illustration = PROJECT_ILLUSTRATIONS[plan]
      return (
        <article className="case" key={title}>
          <div className="draw">
            <Illustration />
          </div>
          <div>
            <h3>{title}</h3>
            <p className="who">{client}</p>
            <p className="txt">{text}</p>
          </div>
          <dl>
            <dt>{measure}</dt>
            <dd className="fig num">
              <span className="visually-hidden">{profileMessages.from} </span>
              <s>{before}</s>
              <TopicIcon name="arrow-right" />
              <span className="visually-hidden"> {profileMessages.to} </span>
              {after}
            </dd>
            <dt>{profileMessages.builtWith}</dt>
            <dd>{builtWith.join(', ')}</dd>
          </dl>
        </article>
      )
    })}
  </section>
)

const Tools = () => (
  <section className="sect wrap">
    <div className="split">
      <SectionHead title={profileMessages.tools} />
      <dl className="tools">
        {profile.tools.map(({ group, names }) => (
          <div key={group}>
            <dt>{group}</dt>
            <dd>{names.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </div>
  </section>
)

const Philosophy = () => (
  <section className="band">
    <div className="wrap split">
      <div>
        <h2>{profileMessages.philosophy}</h2>
        <p className="band-lead">{profile.philosophy.statement}</p>
      </div>
      {profile.philosophy.principles.length > 0 && (
        <ol>
          {profile.philosophy.principles.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      )}
    </div>
  </section>
)

const Closing = () => (
  <section className="sect wrap">
    <div className="close-cta">
      <h2>{profileMessages.closing}</h2>
      <div className="hero-end">
        <p>{profileMessages.reply}</p>
        <Actions to="/msp-services" label={profileMessages.servicePlans} />
      </div>
    </div>
  </section>
)
