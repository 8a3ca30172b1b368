/** A name inside a sentence: "Service" becomes "service", "SLA tier" stays as it is. */
export const inSentence = (name: string) =>
  /^.\p{Lu}/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1)
