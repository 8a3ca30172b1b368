import { site } from '#content/site.ts'
import { texts } from '#content/texts.ts'

export function Contact() {
  return (
    <div className="wrap page-h">
      <title>{`${texts.contact} · ${site.name}`}</title>
      <h1>{texts.contact}</h1>
    </div>
  )
}
