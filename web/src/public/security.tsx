import { Link } from 'react-router'
import { securityTexts as texts } from '#messages/security.ts'

const SECURITY_TXT = '/.well-known/security.txt'

/** How data is protected, and how to report. A security firm is judged by this page first. */
export const Security = () => (
  <div className="wrap">
    <div className="page-h">
      <h1>{texts.title}</h1>
      <p className="lead">{texts.lead}</p>
    </div>
    <ul className="measures">
      {texts.measures.map(({ title, text }) => (
        <li key={title}>
          <h2>{title}</h2>
          <p>{text}</p>
        </li>
      ))}
    </ul>
    <div className="contact-grid">
      <article className="prose">
        <section id="report">
          <h2>{texts.report}</h2>
          <ol>
            {texts.reportSteps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
        <section>
          <h2>{texts.scope}</h2>
          <ul>
            {texts.scopeItems.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </section>
      </article>
      <aside>
        <ul className="aside-list">
          <li>
            <strong>{texts.who}</strong>
            {texts.whoText}
          </li>
          <li>
            <strong>{texts.machine}</strong>
            {texts.machineText} <a href={SECURITY_TXT}>security.txt</a>
          </li>
          <li>
            <strong>{texts.privacy}</strong>
            <Link to="/privacy#contact-us">{texts.privacyLink}</Link>
          </li>
        </ul>
      </aside>
    </div>
  </div>
)
