import { Link } from 'react-router'
import { shellMessages } from '#messages/shell.ts'
import { RecordIcon } from '#ui/record-icon.tsx'
import { ModelNav, useHere } from './model-nav.tsx'
import { useStaffPages } from './staff-pages.ts'

/** Before <main>, so that "Skip to content" skips it. */
export const StaffRail = () => (
  <div className="rail noprint">
    <ModelNav />
    <StaffPages />
  </div>
)

function StaffPages() {
  const pages = useStaffPages()
  const here = useHere()
  if (pages.length === 0) return null
  return (
    <nav aria-label={shellMessages.staffPages}>
      <h2>{shellMessages.staffPages}</h2>
      <ul>
        {pages.map(({ to, label, icon }) => (
          <li key={to}>
            <Link to={to} aria-current={to === here || undefined}>
              <RecordIcon name={icon} />
              <span>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
