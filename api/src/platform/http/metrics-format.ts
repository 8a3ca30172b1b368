/** One figure, or several told apart by labels. Labels are names of ours: never an id, never a person. */
export type Metric = {
  name: string
  help: string
  type: 'gauge' | 'counter' | 'histogram'
  values: { labels?: Record<string, string>; value: number; suffix?: string }[]
}

export const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  values: [{ value }],
})

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const toExposition = (metrics: Metric[]) =>
  metrics
    .map(({ name, help, type, values }) => {
      const lines = values.map(
        ({ suffix = '', labels, value }) =>
          `${name}${suffix}${toLabels(labels)} ${toNumber(value)}`,
      )
      return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
    })
    .join('')

function toLabels(labels: Record<string, string> = {}) {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(value)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

const escape = (value: string) =>
  value
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)

/** An event loop that was never late has no worst. */
const toNumber = (value: number) => (Number.isNaN(value) ? 'NaN' : String(value))
