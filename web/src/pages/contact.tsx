import { texts } from '#content/texts.ts'

export function Contact() {
  return (
    <div className="wrap page-h">
      <h1>{texts.contact}</h1>
    </div>
  )
}
