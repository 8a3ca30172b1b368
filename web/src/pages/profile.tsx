import { site } from '#content/site.ts'

export function Profile() {
  return (
    <div className="wrap page-h">
      <h1>{site.name}</h1>
    </div>
  )
}
