import { randomFillSync } from 'node:crypto'
import { v7 } from 'uuid'

const ID_BYTES = 16
/** Random bytes for many ids: asking the system for those of one takes longer than all the rest. */
const random = new Uint8Array(256 * ID_BYTES)
let used = random.length

const last = { msecs: 0, seq: 0 }
/** Room to count up within a millisecond. */
const SEQUENCE_MASK = 0x7f_ff_ff_ff

/** A UUID in order of time, also of others made here in the same millisecond. */
export function newId() {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const bytes = random.subarray(used, (used += ID_BYTES))
  const msecs = Date.now()
  if (msecs > last.msecs)
    Object.assign(last, {
      msecs,
      seq: new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) & SEQUENCE_MASK,
    })
  else last.seq++
  return v7({ random: bytes, ...last })
}
