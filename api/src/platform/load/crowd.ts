/** A crowd that would wait longer than this for a place is not let in: the answer would come too late to be of use. */
const CROWD_WAIT_MS = 100
const CROWD_MIN = 64
const TURNED_AWAY_MS = 1_000
/** While people are turned away, only so much of the crowd is let in: a refusal after waiting costs more than one at the door. */
const SHARE_OF_CROWD = 0.5
/** Weight of the last request in the average time that one keeps its place. */
const RECENT = 0.1

/** Who would start if there were a place (`size`), and whether one more may wait with them. */
export function buildCrowd({ places, size }: { places: number; size: () => number }) {
  /** How long a request keeps its place, on average; 0 before the first. */
  let heldMs = 0
  let turnedAwayAt = -Infinity
  /** It was full, and nobody has left since: most of those who are turned away ask in such a moment. */
  let isStillFull = false
  /** Between the door and their place or the queue. */
  let arriving = 0

  const isTurningAway = () => performance.now() - turnedAwayAt < TURNED_AWAY_MS
  const onLeft = () => {
    isStillFull = false
  }

  function isFull() {
    const isBusy = isTurningAway()
    if (isStillFull && isBusy) return true
    const most = Math.max(CROWD_MIN, (places * CROWD_WAIT_MS) / heldMs)
    isStillFull = isBusy ? arriving + size() >= most * SHARE_OF_CROWD : size() >= most
    return isStillFull
  }

  /** While people are turned away, who is on the way to the queue counts as if in it. Call what is returned when it has ended. */
  function arrive() {
    let isOnTheWay = true
    arriving++
    return () => {
      if (!isOnTheWay) return
      isOnTheWay = false
      arriving--
      onLeft()
    }
  }

  return {
    isFull,
    isTurningAway,
    arrive,
    onLeft,
    onTurnedAway: () => {
      turnedAwayAt = performance.now()
    },
    onEnded: (ms: number) => {
      heldMs = heldMs === 0 ? ms : heldMs + RECENT * (ms - heldMs)
      onLeft()
    },
  }
}
