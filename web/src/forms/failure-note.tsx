import { Icon } from '#ui/icon.tsx'

/** What went wrong with what was sent, and that nothing typed is lost. */
export const FailureNote = (props: { title: string; text: string; next: string }) => (
  <div className="note danger full" role="alert">
    <Icon name="exclamation-triangle-fill" />
    <div>
      <strong>{props.title}</strong> {props.text}
      <p>{props.next}</p>
    </div>
  </div>
)
