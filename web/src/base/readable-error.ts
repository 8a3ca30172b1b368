/** An error whose message is written for people: shown as it is. */
export class ReadableError extends Error {}
