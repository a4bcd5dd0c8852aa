import { faultCases, judgeCase } from '../builders/servers/faulty-reads.ts'

/* Every fault at every place of every document of the sweep: `npm run sweep:reads`. Fails where one of them was believed. */

let met = 0
const wrong: string[] = []
for (const each of faultCases) {
  const judged = await judgeCase(each)
  if (judged.met) met += 1
  if (judged.wrong !== undefined) wrong.push(judged.wrong)
}
process.stdout.write(`${met} answers that were none, of ${faultCases.length} cases; believed: ${wrong.length}\n`)
for (const line of wrong) process.stdout.write(`${line}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1
