import { texts } from '#content/texts.ts'

export function Privacy() {
  return (
    <div className="wrap page-h">
      <h1>{texts.privacyNotice}</h1>
    </div>
  )
}
