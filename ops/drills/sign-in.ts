import { startIdentity } from './kit/identity/stack.ts'
import { report, seconds } from './kit/results.ts'
import {
  directGrants,
  forgedLevels,
  countAccountDisclosures,
  checkMailboxTakeover,
  redirects,
  takenAddress,
  checkAccountEnumeration,
} from './sign-in-attacks.ts'
import { guessCodes } from './sign-in-codes.ts'
import { guessAtOne, guessFromMany } from './sign-in-guesses.ts'
import { pagesLeftOpen } from './sign-in-pages.ts'
import { revocation } from './sign-in-revocation.ts'
import { appliedAgain, serviceRights } from './sign-in-rights.ts'

/** Attacks the sign-in of a Keycloak with an installation's realm and limits. Short: fewer guesses. */
export async function signInDrill({ isShort }: { isShort: boolean }) {
  const started = Date.now()
  const stack = await startIdentity()
  try {
    return report(
      'sign-in',
      [
        ...(await appliedAgain(stack)),
        ...(await serviceRights(stack)),
        await directGrants(stack),
        await redirects(stack),
        await forgedLevels(stack),
        await checkAccountEnumeration(stack),
        await countAccountDisclosures(stack),
        await takenAddress(stack),
        ...(await checkMailboxTakeover(stack)),
        ...(await guessCodes(stack, { isShort })),
        ...(await guessAtOne(stack, { isShort })),
        ...(await guessFromMany(stack, { isShort })),
        ...(await revocation(stack, { isShort })),
        ...(await pagesLeftOpen(stack, { isShort })),
      ],
      `all in ${seconds(started)} s`,
    )
  } finally {
    await stack.stop()
  }
}
