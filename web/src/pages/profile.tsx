import { Link } from 'react-router'
import { profileTexts as texts } from '#content/profile.ts'
import { profile } from '#content/site.ts'
import { Icon } from '#ui/icon.tsx'
import { HeroPlan, PROJECT_PLANS } from '#ui/plan.tsx'
import { SectionHead } from '#ui/section-head.tsx'
import { TopicIcon } from '#ui/topic-icon.tsx'

/** What the firm does, for whom, and what proves it. */
export const Profile = () => (
  <>
    <Hero />
    <Expertise />
    <section className="sect wrap">
      <div className="pair">
        <Certifications />
        <Tools />
      </div>
    </section>
    <Projects />
    <Philosophy />
    <Closing />
  </>
)

const Hero = () => (
  <section className="hero wrap">
    <div className="hero-top">
      <h1>{profile.headline}</h1>
      <div>
        <p className="lead">{profile.lead}</p>
        <Actions to="/msp/services" label={texts.managedServices} />
      </div>
    </div>
    <figure>
      <HeroPlan />
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
      {texts.getInTouch}
    </Link>
    <Link className="link-arrow" to={to}>
      {label} <Icon name="arrow-right" />
    </Link>
  </div>
)

const Expertise = () => (
  <section className="sect wrap">
    <div className="split">
      <SectionHead title={texts.expertise} isSample={profile.sample}>
        {texts.counted(profile.expertise.length)}
        {profile.sample && ` ${texts.sampleNote}`}
      </SectionHead>
      <ul className="schedule">
        {profile.expertise.map(({ name, icon, description, projects }, index) => (
          <li key={name}>
            <span className="ico">
              <TopicIcon name={icon} />
            </span>
            <div>
              <h3>{name}</h3>
              <p>{description}</p>
            </div>
            <div className="bar" aria-hidden="true">
              <Meter percent={meterPercent(index)} />
            </div>
            <div className="cnt num">
              <b>{projects}</b>
              <span>{texts.projects(projects)}</span>
            </div>
          </li>
        ))}
      </ul>
    </div>
  </section>
)

const METER = { first: 70, step: 4, most: 95 }

/** As specified: it follows the place in the list, not the number of projects, so it says nothing to assistive technology. */
const meterPercent = (index: number) => Math.min(METER.most, METER.first + METER.step * index)

/** A drawing, because the content security policy knows no style attributes. */
const Meter = ({ percent }: { percent: number }) => (
  <svg className="meter">
    <rect width={`${percent}%`} height="100%" />
  </svg>
)

const Certifications = () => (
  <div>
    <SectionHead title={texts.certifications} isSample={profile.sample} />
    <table className="register">
      <thead>
        <tr>
          <th scope="col">{texts.certification}</th>
          <th scope="col">{texts.year}</th>
        </tr>
      </thead>
      <tbody>
        {profile.certifications.map(({ name, issuer, year }) => (
          <tr key={name}>
            <td>
              {name}
              <span>{issuer}</span>
            </td>
            <td className="num">{year}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const Tools = () => (
  <div>
    <SectionHead title={texts.tools} isSample={false} />
    <dl className="tools">
      {profile.tools.map(({ group, names }) => (
        <div key={group}>
          <dt>{group}</dt>
          <dd>{names.join(', ')}</dd>
        </div>
      ))}
    </dl>
  </div>
)

const Projects = () => (
  <section className="sect wrap">
    <SectionHead title={texts.cases} isSample={profile.sample} />
    {profile.projects.map(({ title, client, text, measure, before, after, builtWith, plan }) => {
      const Plan = PROJECT_PLANS[plan]
      return (
        <article className="case" key={title}>
          <div className="draw">
            <Plan />
          </div>
          <div>
            <h3>{title}</h3>
            <p className="who">{client}</p>
            <p className="txt">{text}</p>
          </div>
          <dl>
            <dt>{measure}</dt>
            <dd className="fig num">
              <span className="visually-hidden">{texts.from} </span>
              <s>{before}</s>
              <Icon name="arrow-right" />
              <span className="visually-hidden"> {texts.to} </span>
              {after}
            </dd>
            <dt>{texts.builtWith}</dt>
            <dd>{builtWith.join(', ')}</dd>
          </dl>
        </article>
      )
    })}
  </section>
)

const Philosophy = () => (
  <section className="band">
    <div className="wrap split">
      <div>
        <h2>{texts.philosophy}</h2>
        <p className="band-lead">{profile.philosophy.statement}</p>
      </div>
      <ol>
        {profile.philosophy.principles.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </div>
  </section>
)

const Closing = () => (
  <section className="sect wrap">
    <div className="close-cta">
      <h2>{texts.closing}</h2>
      <div className="hero-end">
        <p>{texts.reply}</p>
        <Actions to="/msp-services" label={texts.servicePlans} />
      </div>
    </div>
  </section>
)
