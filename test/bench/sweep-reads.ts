import { faultCases, judgeCase } from '../builders/servers/faulty-reads.ts'

/*
 * Every fault at every place of every document of the sweep: `npm run sweep:reads`, about four minutes of one core;
 * `npm run sweep:reads -- 20` takes every twentieth case. Fails where one of them was believed.
 */

const step = Number(process.argv[2] ?? 1)
if (!Number.isInteger(step) || step < 1) throw new RangeError(`${process.argv[2]} is not a whole number above 0`)
const cases = faultCases.filter((_, position) => position % step === 0)

const tenth = Math.ceil(cases.length / 10)
let met = 0
const wrong: string[] = []
for (const [position, each] of cases.entries()) {
  if (position > 0 && position % tenth === 0) process.stderr.write(`${position} of ${cases.length} cases\n`)
  const judged = await judgeCase(each)
  if (judged.met) met += 1
  if (judged.wrong !== undefined) wrong.push(judged.wrong)
}
process.stdout.write(`${met} answers that were none, of ${cases.length} cases; believed: ${wrong.length}\n`)
for (const line of wrong) process.stdout.write(`${line}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1
