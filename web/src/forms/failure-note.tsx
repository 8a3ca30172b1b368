import type { Failure } from '#data/failure.ts'
import { Icon } from '#ui/icon.tsx'

export const FailureNote = (props: { title: string; text: string; next: string }) => (
  <div className="note danger full" role="alert">
    <Icon name="exclamation-triangle-fill" />
    <div>
      <strong>{props.title}</strong> {props.text}
      <p>{props.next}</p>
    </div>
  </div>
)

/** Field errors are shown until corrected; others until the next attempt. */
export function isUncorrected({ errors }: Failure, form: { fields: object; errors: object }) {
  const shown = errors.filter(({ field }) => field in form.fields)
  return shown.length === 0 || shown.some(({ field }) => field in form.errors)
}
