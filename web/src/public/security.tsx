import { Link } from 'react-router'
import { owner } from '#base/site.ts'
import { securityMessages } from '#messages/security.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { renderMarked } from '#ui/render-marked.tsx'
import '#ui/prose.scss'
import './security.scss'

const SECURITY_TXT = '/.well-known/security.txt'

const mailLink = (text: string) => <a href={`mailto:${owner.email}`}>{text}</a>

export const Security = () => (
  <div className="wrap">
    <div className="page-h">
      <h1>{securityMessages.title}</h1>
      <p className="lead">{securityMessages.lead}</p>
    </div>
    <ul className="measures">
      {securityMessages.measures.map(({ title, text }) => (
        <li key={title}>
          <h2>{title}</h2>
          <p>{text}</p>
        </li>
      ))}
    </ul>
    <div className="contact-grid">
      <article className="prose">
        <section id="not-me">
          <h2>{securityMessages.notMe}</h2>
          <p>{securityMessages.notMeLead}</p>
          <ol>
            {securityMessages.notMeSteps.map((step) => (
              <li key={step}>{step.includes('<link>') ? renderMarked(step, mailLink) : step}</li>
            ))}
          </ol>
          <p>{securityMessages.notMeReset}</p>
        </section>
        <section id="report">
          <h2>{securityMessages.report}</h2>
          <ol>
            {securityMessages.reportSteps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
        <section>
          <h2>{securityMessages.scope}</h2>
          <ul>
            {securityMessages.scopeItems.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </section>
      </article>
      <aside>
        <ul className="aside-list">
          <li>
            <strong>{securityMessages.who}</strong>
            {securityMessages.whoText}
          </li>
          <li>
            <strong>{securityMessages.machine}</strong>
            {renderMarked(securityMessages.machineText, (text) => (
              <a href={SECURITY_TXT}>{text}</a>
            ))}
          </li>
          <li>
            <strong>{securityMessages.privacy}</strong>
            <Link to="/privacy#contact-us">{specifiedPageMessages.privacy.form}</Link>
          </li>
        </ul>
      </aside>
    </div>
  </div>
)
