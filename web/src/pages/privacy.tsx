import { site } from '#content/site.ts'
import { texts } from '#content/texts.ts'

export function Privacy() {
  return (
    <div className="wrap page-h">
      <title>{`${texts.privacyNotice} · ${site.name}`}</title>
      <h1>{texts.privacyNotice}</h1>
    </div>
  )
}
