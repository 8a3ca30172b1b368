import { texts } from '#content/texts.ts'

export function Security() {
  return (
    <div className="wrap page-h">
      <h1>{texts.security}</h1>
    </div>
  )
}
