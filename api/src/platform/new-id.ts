import { v7 } from 'uuid'

/** A UUID in order of time, even among those made in the same millisecond. */
export const newId = () => v7()
