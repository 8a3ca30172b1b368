/** Texts around formatted texts of records. */
export const markdownMessages = {
  /** Name of a table's box, which can be scrolled. */
  table: (number: number) => `Table ${number}`,
}
