import { owner, site } from '#content/site.ts'
import { texts } from '#content/texts.ts'

const YEAR = new Date().getFullYear()

export function Footer() {
  return (
    <footer className="site-footer">
      <div className="wrap row1">
        <span>{texts.copyright(YEAR, site.name, owner.credit)}</span>
      </div>
    </footer>
  )
}
