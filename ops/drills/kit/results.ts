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

export const seconds = (since: number) => ((Date.now() - since) / 1000).toFixed(1)
