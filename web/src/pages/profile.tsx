import { site } from '#content/site.ts'

export function Profile() {
  return (
    <div className="wrap page-h">
      <title>{site.name}</title>
      <h1>{site.name}</h1>
    </div>
  )
}
