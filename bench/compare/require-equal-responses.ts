import type { Case } from './cases.ts'
import type { BenchEnvironment } from './bench-environment.ts'

const VOLATILE_VALUES: [RegExp, string][] = [
  [/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"(moment)"'],
  [/"id":"[0-9a-f-]{36}"/g, '"id":"(id)"'],
  [/"(version|number|minutesSpent)":\d+/g, '"$1":(number)'],
  [/"(name|os|serialNumber|email|subject)":"[^"]*?[0-9]+(@[^"]*)?"/g, '"$1":"(counted)"'],
]

export async function requireEqualResponses({
  lines,
  cases,
}: Pick<BenchEnvironment, 'lines' | 'cases'>) {
  for (const one of cases)
    for (const caller of [0, 1]) {
      const answer = async (side: 'ours' | 'bare') => {
        const send = lines[one.role].get(side)?.[caller]
        const { status, body = '' } = (await send?.(one[side](caller, 0))) ?? { status: 0 }
        if (status < 200 || status > 299) throw new Error(`${side}: ${one.name}: ${status} ${body}`)
        return plain(one, body)
      }
      const [ours, bare] = [await answer('ours'), await answer('bare')]
      if (ours !== bare)
        throw new Error(`${one.name}: the response of bare Fastify differs\n${ours}\n${bare}`)
    }
}

const plain = ({ isWrite }: Case, body: string) =>
  isWrite ? VOLATILE_VALUES.reduce((text, [found, put]) => text.replaceAll(found, put), body) : body
