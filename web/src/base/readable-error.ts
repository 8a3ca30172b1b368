/** An error with a user-facing message. */
export class ReadableError extends Error {}
