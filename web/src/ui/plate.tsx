/** The initials in the tower shape. Decoration: the name stands beside it. */
export const Plate = ({ name }: { name: string }) => (
  <div className="plate" aria-hidden="true">
    {initialsOf(name)}
  </div>
)

/** Of the first and the last name: those between are often particles. */
export function initialsOf(name: string) {
  const [, first = '', last = ''] =
    /^(\S)\S*(?:.*\s(\S)\S*)?$/su.exec(name.normalize().trim()) ?? []
  return (first + last).toUpperCase()
}
