import { useLoaderData } from 'react-router'
import type { ServicePage } from '#catalogue.ts'

export function ServiceDetail() {
  const { service } = useLoaderData<ServicePage>()
  return (
    <div className="wrap page-h">
      <h1>{service.name}</h1>
    </div>
  )
}
