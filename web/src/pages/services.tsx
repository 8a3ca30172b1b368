import { useLoaderData } from 'react-router'
import type { Catalogue } from '#catalogue.ts'
import { texts } from '#content/texts.ts'

export function Services() {
  const { services } = useLoaderData<Catalogue>()
  return (
    <div className="wrap page-h">
      <h1>{texts.services}</h1>
      <p>{services.length}</p>
    </div>
  )
}
