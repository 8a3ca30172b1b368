import { constants, getPriority, setPriority } from 'node:os'

const { PRIORITY_BELOW_NORMAL } = constants.priority

/**
 * Lets this process give way to the API; call it before threads are started, which inherit it. Not the lowest, which gets a sixtieth of
 * a busy processor. Never raises the priority, which only root may: a service may have been started with a lower one.
 */
export function lowerPriority() {
  if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
}
