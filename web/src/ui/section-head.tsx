import type { ReactNode } from 'react'
import { siteMessages } from '#messages/site.ts'

export const SectionHead = (props: {
  title: string
  isSample: boolean
  className?: string
  children?: ReactNode
}) => (
  <div className={props.className ?? 'sect-h'}>
    <h2>{props.title}</h2>
    {props.isSample && <span className="sample">{siteMessages.sample}</span>}
    {props.children && <p>{props.children}</p>}
  </div>
)
