import type { ReactNode } from 'react'
import { siteMessages } from '#messages/site.ts'

/** The heading of a part of a page, with a mark where its content is nobody's yet. */
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
