/** A record of any model, as the API sends it. */
export type RecordData = Record<string, unknown>
