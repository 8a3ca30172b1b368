export type Result = { title: string; isRight: boolean; figure: string }

export function report(drill: string, results: Result[], figures: string) {
  for (const { title, isRight, figure } of results)
    console.log(`${isRight ? 'ok    ' : 'FAILED'}  ${title.padEnd(34)} ${figure}`)
  const wrong = results.filter(({ isRight }) => !isRight)
  console.log(
    wrong.length === 0
      ? `${drill}: ok, ${results.length} checks, ${figures}`
      : `${drill}: FAILED ${wrong.map(({ title }) => title).join(', ')}`,
  )
  return wrong.length === 0
}

/** Named parts in their order. An exception is the failed result of its part alone: the others still run and are reported. */
export async function runParts(parts: Record<string, () => Result[] | Promise<Result[]>>) {
  const results: Result[] = []
  for (const [title, run] of Object.entries(parts)) {
    const started = Date.now()
    try {
      results.push(...(await run()))
    } catch (error) {
      const figure = error instanceof Error ? error.message : String(error)
      results.push({ title: `${title} ended`, isRight: false, figure })
    }
    console.error(`${title}: ${seconds(started)} s`)
  }
  return results
}

export const seconds = (since: number) => ((Date.now() - since) / 1000).toFixed(1)
