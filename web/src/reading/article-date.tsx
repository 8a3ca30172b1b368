import { site } from '#base/site.ts'

/** In the site's time zone, on the server and in every browser. */
const format = (at: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(site.locale, { ...options, timeZone: site.timezone }).format(new Date(at))

export const ArticleDate = ({ at }: { at: string | null }) =>
  at && <time dateTime={at}>{format(at, { dateStyle: 'long' })}</time>

/** Browsers may write a time with other spaces than the server. */
export const ArticleTime = ({ at }: { at: string | null }) =>
  at && (
    <time dateTime={at} suppressHydrationWarning>
      {format(at, {
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        hour: '2-digit',
        minute: '2-digit',
        timeZoneName: 'short',
      })}
      .
    </time>
  )
