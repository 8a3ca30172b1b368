export const Initials = ({ name }: { name: string }) => (
  <div className="plate" aria-hidden="true">
    {initialsOf(name)}
  </div>
)

/** Initials of the first and last word only: those between are often particles. */
export function initialsOf(name: string) {
  const [, first = '', last = ''] =
    /^(\S)\S*(?:.*\s(\S)\S*)?$/su.exec(name.normalize().trim()) ?? []
  return (first + last).toUpperCase()
}
