import { plantDrifts, untouched } from '../providers/github/drifts.ts'
import { subjects } from '../providers/github/subjects.ts'

/* `npm run bench:drifts [seeds]`: 50 checks of an untouched organisation, and drifts of all kinds; each seed declares other fields together. */

const seeds = Number(process.argv[2] ?? 5)
const runs = 50
const types = Object.keys(subjects)
const say = (text: string): void => void process.stdout.write(`${text}\n`)

let planted = 0
const wrong: string[] = []
for (const type of types) {
  const findings = await untouched(type, 1, runs)
  wrong.push(...findings)
  let own = 0
  for (let seed = 1; seed <= seeds; seed += 1) {
    const found = await plantDrifts(type, seed)
    own += found.planted
    wrong.push(...found.missed)
  }
  planted += own
  say(`${type}: ${runs} untouched checks with ${findings.length} findings; ${own} drifts planted`)
}
say(`${types.length} types, ${types.length * runs} untouched checks, ${planted} drifts planted; wrong: ${wrong.length}`)
for (const each of wrong) say(each)
process.exitCode = wrong.length === 0 ? 0 : 1
