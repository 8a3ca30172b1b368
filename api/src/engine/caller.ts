import { canDo, levelOf, type Access, type Model } from '@gatehouse/model'
import { isDeepStrictEqual } from 'node:util'
import type { Row, Runner } from '#platform/db.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import type { Ahead } from '#platform/pool/line.ts'
import { remember } from '#platform/remember.ts'
import { perEngine, type ClaimSource, type Engine, type HeldClaims } from './engine.ts'

/** A visitor, and what decides which rows are theirs. */
export type Caller = { visitor: SignedIn | null; level: Access; claims: HeldClaims }

/** The server itself: sees everything, has no account. */
export const SYSTEM: Caller = { visitor: null, level: 'owner', claims: {} }

/** Claims are looked up for users only: admins see everything, anonymous visitors own nothing. */
export async function callerOf(engine: Engine, visitor: SignedIn | null): Promise<Caller> {
  const level = levelOf(visitor)
  const source = level === 'user' && visitor ? engine.identity.claimsOf : null
  if (!source || !visitor) return { visitor, level, claims: {} }
  const claims = source.read(visitor, await engine.db.query(source.ask(engine, visitor)))
  remember(heldIn(engine), visitor.sub, claims, REMEMBERED_MAX)
  return { visitor, level, claims }
}

/** A caller, and what has to be asked along with whatever is done for them; nothing where no claims matter. */
export type Presumed = { caller: Caller; ahead: Ahead | null }

/** The caller with the claims they held last; null where that isn't known. Asking again doesn't cost a round trip then. */
export function presume(engine: Engine, visitor: SignedIn | null): Presumed | null {
  const level = levelOf(visitor)
  const source = level === 'user' && visitor ? engine.identity.claimsOf : null
  if (!source || !visitor) return { caller: { visitor, level, claims: {} }, ahead: null }
  const claims = heldIn(engine).get(visitor.sub)
  if (!claims) return null
  return {
    caller: { visitor, level, claims },
    ahead: {
      statements: [source.ask(engine, visitor)],
      check: ([rows = []]) => confirm(engine, { visitor, claims, source }, rows),
    },
  }
}

/** What was taken for granted isn't so any more: everything is to be done again. */
export class Misjudged extends Error {}

type Taken = { visitor: SignedIn; claims: HeldClaims; source: ClaimSource }

function confirm(engine: Engine, { visitor, claims, source }: Taken, rows: Row[]) {
  if (isDeepStrictEqual(source.read(visitor, rows), claims)) return
  heldIn(engine).delete(visitor.sub)
  throw new Misjudged()
}

/** Reads something for a visitor: nothing is returned before their claims are those that it was read with. */
export async function asCaller<T>(
  engine: Engine,
  visitor: SignedIn | null,
  run: (caller: Caller, tx: Runner) => Promise<T>,
): Promise<T> {
  const presumed = presume(engine, visitor)
  if (!presumed) return run(await callerOf(engine, visitor), engine.db)
  const { caller, ahead } = presumed
  if (!ahead) return run(caller, engine.db)
  return engine.db
    .after(ahead, (tx) => run(caller, tx))
    .catch(async (error: unknown) => {
      if (error instanceof Misjudged) return run(await callerOf(engine, visitor), engine.db)
      throw error
    })
}

const REMEMBERED_MAX = 5_000
const heldIn = perEngine(() => new Map<string, HeldClaims>())

export const canRead = (model: Model, caller: Caller) =>
  caller === SYSTEM || canDo(model, 'get', caller.visitor) || canDo(model, 'list', caller.visitor)
