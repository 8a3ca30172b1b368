export type DefinitionField = {
  name: string
  label: string
  type: string
  default?: unknown
  options?: FieldOption[]
  /** The options are ordered, from least to most. */
  scale?: boolean
  to?: string
  unit?: string
  /** Of numbers, the largest; of files, how many. */
  max?: number
  /** An amount of money in this currency, or in the one that `currencyField` of the record names. */
  currency?: string
  currencyField?: string
  /** Only staff see it. */
  internal?: boolean
  sortable?: boolean
  searchable?: boolean
}

/** `sent` is the option's value if not a string. */
type FieldOption = { value: string; label?: string; tone?: string; sent?: unknown }

/** Skips entries without a name. */
export const readFields = (fields: unknown[]): DefinitionField[] =>
  fields.map(asObject).flatMap(({ name, label, type, options, to, unit, ...rest }) =>
    typeof name === 'string'
      ? [
          {
            ...rest,
            name,
            label: typeof label === 'string' && label ? label : name,
            type: typeof type === 'string' ? type : 'text',
            ...(typeof to === 'string' ? { to } : {}),
            ...(typeof unit === 'string' ? { unit } : {}),
            ...(Array.isArray(options) ? { options: options.flatMap(readOption) } : {}),
          },
        ]
      : [],
  )

/** A plain value, or an object with a value and usually a label. */
function readOption(option: unknown): FieldOption[] {
  const { value = option, label, ...rest } = asObject(option)
  if (!['string', 'number', 'boolean'].includes(typeof value)) return []
  return [
    {
      ...rest,
      value: String(value),
      ...(typeof label === 'string' ? { label } : {}),
      ...(typeof value === 'string' ? {} : { sent: value }),
    },
  ]
}

/** Passwords and hidden inputs: sent, never shown. */
export const isUnshown = ({ type }: DefinitionField) =>
  ['password', 'hidden'].includes(type.toLowerCase())

export function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
