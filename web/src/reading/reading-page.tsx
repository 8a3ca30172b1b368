import type { ReactNode } from 'react'
import { useAuth } from 'react-oidc-context'
import { Link, useLoaderData } from 'react-router'
import { toVisitor } from '#auth/auth.ts'
import { canDo, publicDefinitionAt } from '#data/definitions.ts'
import { readingPath } from '#data/reading.ts'
import { readingMessages } from '#messages/reading.ts'
import { servicesMessages } from '#messages/services.ts'
import { SampleNote } from '#ui/sample-note.tsx'
import { ArticlePage } from './article-page.tsx'
import { ArticlesPage } from './articles-page.tsx'
import { PlainIndex, PlainPage } from './plain-pages.tsx'
import type { ReadingData } from './reading-data.ts'
import { ServicePage } from './service-page.tsx'
import { ServicesPage } from './services-page.tsx'
import '#ui/empty.scss'
import './reading.scss'

/** Page of public records as visitors read them. */
export function ReadingPage() {
  const data = useLoaderData<ReadingData>()
  return (
    <div className="wrap reading">
      <RecordsLink data={data} />
      {draw(data)}
      <Sample data={data} />
    </div>
  )
}

function draw(data: ReadingData): ReactNode {
  switch (data.reading) {
    case 'services':
      return <ServicesPage {...data} />
    case 'service':
      return <ServicePage {...data} />
    case 'articles':
      return <ArticlesPage {...data} />
    case 'article':
      return <ArticlePage {...data} />
    case 'records':
      return <PlainIndex {...data} />
    case 'record':
      return <PlainPage {...data} />
  }
}

function Sample({ data }: { data: ReadingData }) {
  switch (data.reading) {
    case 'services':
      return data.services.some(isSample) && <SampleNote text={servicesMessages.sampleNote} />
    case 'service':
      return isSample(data.service) && <SampleNote text={servicesMessages.sampleNote} />
    case 'articles':
      return data.articles.some(isSample) && <SampleNote text={readingMessages.sampleNote} />
    case 'article':
      return isSample(data.article) && <SampleNote text={readingMessages.sampleNote} />
    default:
      return null
  }
}

const isSample = ({ sample }: { sample: boolean | null }) => sample === true

/** For staff, who came here by `View page`. */
function RecordsLink({ data }: { data: ReadingData }) {
  const visitor = toVisitor(useAuth().user)
  const definition = publicDefinitionAt(data.model)
  if (!definition || !canDo(definition, 'update', visitor)) return null
  const isRecord = 'recordKey' in data
  return (
    <p className="edit-as-records">
      <Link
        to={isRecord ? readingPath(data.model, data.recordKey) : `/${data.model.toLowerCase()}`}
      >
        {isRecord ? readingMessages.editRecord : readingMessages.editAsRecords}
      </Link>
    </p>
  )
}
