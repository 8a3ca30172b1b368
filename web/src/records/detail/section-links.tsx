import { useEffect, useState } from 'react'
import { detailMessages } from '#messages/detail.ts'

export type SectionLink = { id: string; title: string; count?: string }

/** Links to the sections of a long page; the one in view is current. */
export function SectionLinks({ links }: { links: SectionLink[] }) {
  const current = useSectionInView(links.map(({ id }) => id))
  return (
    <nav className="jump" aria-label={detailMessages.sections}>
      <ul>
        {links.map(({ id, title, count }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? 'true' : undefined}
              onClick={(event) => {
                // The address keeps the state of the list the record was opened from.
                event.preventDefault()
                goTo(id)
              }}
            >
              {title}
              {count !== undefined && <span className="n num">{count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function goTo(id: string) {
  document.getElementById(id)?.scrollIntoView()
  const heading = document.getElementById(`${id}-title`)
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}

/** The last section that begins in the upper third of the window. */
function useSectionInView(ids: string[]) {
  const [current, setCurrent] = useState(ids[0])
  const all = ids.join(' ')
  useEffect(() => {
    const inView = new Set<string>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          inView[isIntersecting ? 'add' : 'delete'](target.id)
        setCurrent((last) => all.split(' ').findLast((id) => inView.has(id)) ?? last)
      },
      { rootMargin: '0px 0px -66% 0px' },
    )
    for (const id of all.split(' ')) {
      const section = document.getElementById(id)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [all])
  return current
}
