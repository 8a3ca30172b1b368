import { paletteMessages } from '#messages/palette.ts'

const isApple = /^(Mac|iP)/.test(navigator.platform)

/** Names of keys as printed on this keyboard. */
export const keyNames = {
  ...paletteMessages.keys,
  command: isApple ? paletteMessages.keys.cmd : paletteMessages.keys.ctrl,
}
