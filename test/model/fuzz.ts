import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type Counterexample, type Tried, tellOf, tryLaw } from './property.ts'

/*
 * `npm run fuzz:identity [sequences] [seed] [threads]`: the law of who owns what over random sequences. Ends with 1 where
 * one breaks it, and tells the smallest that was found as a story.
 */

const batch = 250

/** What a sequence leaves behind is short-lived: a small nursery would have it looked at again and again. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 }

interface Work {
  readonly seeds: readonly number[]
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const playAll = async ({ seeds }: Work): Promise<void> => {
  for (const seed of seeds) parentPort?.postMessage(await tryLaw({ seed, count: batch }))
}

const lead = async (): Promise<void> => {
  const given = process.argv.slice(2).map(Number)
  const [count = 20_000, seed = Date.now() % 2 ** 31, threads = Math.max(1, availableParallelism() - 1)] = given
  say(`${count} sequences, seed ${seed}`)
  const seeds = Array.from({ length: Math.ceil(count / batch) }, (_, index) => seed + index)
  const tried: Tried[] = []
  const found: Counterexample[] = []
  const workers = Array.from({ length: threads }, (_, turn) => {
    const work: Work = { seeds: seeds.filter((__, index) => index % threads === turn) }
    const worker = new Worker(new URL(import.meta.url), { workerData: work, resourceLimits })
    worker.on('message', (each: Tried) => {
      tried.push(each)
      if (each.counterexample === undefined) return
      found.push(each.counterexample)
      say(tellOf(each.counterexample))
    })
    return new Promise<void>((resolve, reject) => worker.on('exit', () => resolve()).on('error', reject))
  })
  await Promise.all(workers)
  report(tried, found)
}

const report = (tried: readonly Tried[], found: readonly Counterexample[]): void => {
  const sum = (pick: (each: Tried) => number): number => tried.reduce((total, each) => total + pick(each), 0)
  say(`${sum(({ sequences }) => sequences)} sequences with ${sum(({ writes }) => writes)} writes ended:`)
  const names = [...new Set(tried.flatMap(({ ends }) => Object.keys(ends)))].sort()
  for (const name of names) say(`  ${String(sum(({ ends }) => ends[name] ?? 0)).padStart(6)} ${name}`)
  say(found.length === 0 ? 'no counterexample' : `${found.length} counterexamples`)
  if (found.length > 0) process.exitCode = 1
}

await (isMainThread ? lead() : playAll(workerData as Work))
