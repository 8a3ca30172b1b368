import { code } from './markdown.ts'
import {
  childrenOf,
  declarationOf,
  identifierName,
  type Node,
  type Source,
} from './parse-source.ts'
import type { Sources } from './sources.ts'

/** Function that performs each event, by file of `api/src/engine/operations`. */
const PERFORMED_BY = {
  create: 'insert',
  update: 'change',
  delete: 'deleteRecord',
  restore: 'restoreFromTrash',
  undo: 'undo',
}

/** Calls that are steps of a change; `*` stands for the event. */
const STEPS: Record<string, string> = {
  before: code('before.*'),
  compute: code('computed'),
  checkRelations: 'relations are checked',
  isBroken: '`rules` are checked',
  validate: code('validate'),
  runValidate: code('validate'),
  checkDeleteOnly: '`deleteOnly` is checked',
  add: 'write',
  save: 'write',
  moveToTrash: 'write',
  moveFromTrash: 'write',
  REVERT: 'write',
  checkUnused: 'referring records are checked',
  requireParents: 'relations are checked',
  after: code('after.*'),
}

/** Steps of each event in the order of the calls in the engine, followed through its functions. */
export async function hookOrder({ parse }: Sources) {
  const input = await parse('api/src/engine/write/input.ts')
  return Promise.all(
    Object.entries(PERFORMED_BY).map(async ([event, name]) => {
      const source = await parse(`api/src/engine/operations/${event}.ts`)
      const steps = stepsOf(name, [source, input]).map((step) => step.replace('*', event))
      return { event, steps: steps.filter((step, index) => step !== steps[index - 1]) }
    }),
  )
}

function stepsOf(name: string, sources: Source[], passed: string[] = []): string[] {
  const body = functionNamed(name, sources)
  if (!body || passed.includes(name)) return []
  return callsIn(body).flatMap((called) =>
    STEPS[called] ? [STEPS[called]] : stepsOf(called, sources, [...passed, name]),
  )
}

/** In the order of execution: arguments before the call. */
const callsIn = (node: Node): string[] => [
  ...childrenOf(node).flatMap(callsIn),
  ...(node.type === 'CallExpression' ? [calledBy(node)] : []),
]

/** `validate` of `validate(…)`, `add` of `work.add(…)`, `REVERT` of `REVERT[action](…)`. */
function calledBy({ callee }: Node) {
  const called = callee as Node
  return identifierName(called['computed'] ? called['object'] : called)
}

function functionNamed(name: string, sources: Source[]) {
  for (const source of sources)
    try {
      return declarationOf(source, name).node
    } catch {
      continue
    }
  return null
}
