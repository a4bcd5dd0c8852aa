import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { endOf } from '../../../core/engine/ledger/chain.ts'
import { verify } from '../../../core/engine/ledger/verify.ts'
import { getLedgerHead, readLedger } from '../../../core/engine/state/ledger.ts'
import { systemClock } from '../../../functions/adapters/clock.ts'
import { openSqliteStore } from '../../../functions/adapters/sqlite/store.ts'

/*
 * `npm run chaos:sqlite [seconds]`: two processes add entries to one file at full speed, and a third one is killed at any point and
 * started again. Ends with 1 where an entry was lost or doubled, the chain does not verify, or a process did not end by itself.
 */

const seconds = Number(process.argv[2] ?? 60)
const folder = await mkdtemp(join(tmpdir(), 'plumbline-chaos-'))
const file = join(folder, 'store.sqlite')
const until = Date.now() + seconds * 1000
const worker = join(import.meta.dirname, 'worker.ts')

interface Ended {
  readonly said: string
  readonly errors: string
  readonly code: number | null
}

/** `killAfter`: milliseconds. */
const run = async (name: string, killAfter?: number): Promise<Ended> => {
  const child = spawn(process.execPath, [worker, file, name, String(until)])
  let [said, errors] = ['', '']
  child.stdout.on('data', (data: Buffer) => (said += data))
  child.stderr.on('data', (data: Buffer) => (errors += data))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  if (killAfter !== undefined) void pause(killAfter).then(() => child.kill('SIGKILL'))
  return { code: await ended, said, errors }
}

const killedOnes = async (): Promise<readonly Ended[]> => {
  const all: Ended[] = []
  while (Date.now() < until - 2_000) all.push(await run(`killed${all.length}`, 300 + Math.random() * 1_500))
  return all
}

const [steady, killed] = await Promise.all([Promise.all(['one', 'two'].map((name) => run(name))), killedOnes()])
const lines = [...steady, ...killed].flatMap(({ said }) => said.split('\n').slice(0, -1))
const saidOf = (word: string) =>
  lines.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []))
const [tried, done] = [new Set(saidOf('try')), saidOf('done')]

const store = await openSqliteStore({ file, clock: systemClock })
const entries = await Array.fromAsync(readLedger(store, 'acme'))
const verdict = await verify([...entries, endOf('acme', await getLedgerHead(store, 'acme'))])
store.close()
await rm(folder, { recursive: true })

const found = Map.groupBy(entries, ({ reason }) => reason)
const lost = done.filter((reason) => !found.has(reason))
const doubled = [...found.values()].filter((all) => all.length > 1)
const foreign = [...found.keys()].filter((reason) => !tried.has(reason))
const stuck = steady.filter(({ code, errors }) => code !== 0 || errors !== '')

console.log(
  `${seconds} s: ${entries.length} entries of ${2 + killed.length} processes, ${killed.length} of them killed`,
)
console.log(`${done.length} answered, ${lost.length} lost, ${doubled.length} doubled, ${foreign.length} of nobody`)
console.log(
  `the chain ${verdict.ok ? 'verifies' : 'is BROKEN'}; ${2 - stuck.length} of 2 processes ended by themselves`,
)
for (const { errors } of stuck) console.error(errors)
process.exitCode = verdict.ok && lost.length + doubled.length + foreign.length + stuck.length === 0 ? 0 : 1
