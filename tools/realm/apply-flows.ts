import { createHash } from 'node:crypto'
import type { AdminApi } from './admin-api.ts'
import { FLOW_TO_CHECK, flowsOf, type Flow, type Step } from './flows.ts'
import type { Options } from './options.ts'

type Stored = { id: string; alias: string; topLevel: boolean }
type Execution = { level: number; requirement: string; providerId?: string }

/**
 * Keycloak can't replace a flow in use: one that differs is created under a new name and bound, then the old one is deleted.
 * The name contains a hash of the declaration.
 */
export async function applyFlows(api: AdminApi, options: Options) {
  const realm = await api.read<Record<string, string>>('')
  const names: Record<string, string> = {}
  for (const [setting, flow] of Object.entries(flowsOf(options))) {
    const bound = realm[setting] ?? ''
    if (bound.startsWith(nameOf(flow)) && (await matchesDeclaration(api, bound, flow))) continue
    names[setting] = `${nameOf(flow)} ${Date.now().toString(36)}`
    await makeFlow(api, names[setting], flow)
  }
  if (Object.keys(names).length > 0)
    await api.change(`flows in use: ${Object.keys(names).join(', ')}`, 'PUT', '', {
      ...realm,
      ...names,
    })
  await removeOld(api, { ...realm, ...names }, options)
}

const nameOf = (flow: Flow) =>
  `${flow.flow} ${createHash('sha256').update(JSON.stringify(flow)).digest('hex').slice(0, 8)}`

async function matchesDeclaration(api: AdminApi, alias: string, flow: Flow) {
  const steps = await api.read<Execution[]>(executionsOf(alias))
  const current = steps.map(({ level, requirement, providerId }) => [
    level,
    requirement,
    providerId ?? '',
  ])
  return JSON.stringify(current) === JSON.stringify(linesOf(flow.steps))
}

/** In Keycloak's order: each step with its depth, flows before their steps. */
const linesOf = (steps: (Step | Flow)[], level = 0): [number, string, string][] =>
  steps.flatMap((step): [number, string, string][] =>
    'flow' in step
      ? [[level, step.requirement, ''], ...linesOf(step.steps, level + 1)]
      : [[level, step.requirement, step.authenticator]],
  )

const executionsOf = (alias: string) =>
  `/authentication/flows/${encodeURIComponent(alias)}/executions`

async function makeFlow(api: AdminApi, alias: string, { steps }: Flow) {
  const id = await api.change(`flow created: ${alias}`, 'POST', '/authentication/flows', {
    ...newFlow(alias),
    topLevel: true,
  })
  if (!api.isWriting) return
  const silent = silently(api)
  const mark = alias.split(' ').pop() ?? ''
  await addSteps(silent, { id, mark, steps })
}

/** Steps of a new flow aren't reported as changes. */
const silently = (api: AdminApi) => ({
  change: async (method: string, path: string, body: unknown) => {
    const id = await api.change('', method, path, body)
    api.changes.pop()
    return id
  },
})

type Adding = { id: string; mark: string; steps: (Step | Flow)[] }

async function addSteps(api: ReturnType<typeof silently>, { id, mark, steps }: Adding) {
  for (const [index, step] of steps.entries()) {
    const execution = { parentFlow: id, requirement: step.requirement, priority: index }
    if ('flow' in step) {
      const child = await api.change('POST', '/authentication/flows', {
        ...newFlow(`${step.flow} ${mark}`),
        topLevel: false,
      })
      await api.change('POST', '/authentication/executions', {
        ...execution,
        flowId: child,
        authenticatorFlow: true,
      })
      await addSteps(api, { id: child, mark, steps: step.steps })
      continue
    }
    const made = await api.change('POST', '/authentication/executions', {
      ...execution,
      authenticator: step.authenticator,
      authenticatorFlow: false,
    })
    if (step.config)
      await api.change('POST', `/authentication/executions/${made}/config`, {
        alias: `${step.authenticator} ${made}`,
        config: withMark(step.config, mark),
      })
  }
}

const newFlow = (alias: string) => ({
  alias,
  description: '',
  providerId: 'basic-flow',
  builtIn: false,
})

const withMark = (config: Record<string, string>, mark: string) =>
  Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      key === FLOW_TO_CHECK ? `${value} ${mark}` : value,
    ]),
  )

async function removeOld(api: AdminApi, realm: Record<string, string>, options: Options) {
  const flows = Object.entries(flowsOf(options))
  for (const { id, alias, topLevel } of await api.read<Stored[]>('/authentication/flows')) {
    const isOurs = topLevel && flows.some(([, { flow }]) => alias.startsWith(`${flow} `))
    const isUsed = flows.some(([setting]) => realm[setting] === alias)
    if (isOurs && !isUsed)
      await api.change(`flow removed: ${alias}`, 'DELETE', `/authentication/flows/${id}`)
  }
}
