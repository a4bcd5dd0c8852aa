import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { startServer } from '../builders/servers/loopback.ts'
import { commandFolder } from '../builders/workspaces/command-server.ts'
import { entry, planOf } from '../pages/tofu/builders/read-reports.ts'

const runs = 20
const resources = 10

interface Case {
  readonly name: string
  readonly args: readonly string[]
  readonly exit: number
  /** In milliseconds. */
  readonly goal: number
}

const cases: readonly Case[] = [
  { name: '--version', args: ['--version'], exit: 0, goal: 20 },
  { name: '--help', args: ['--help'], exit: 0, goal: 20 },
  { name: 'render of a small plan', args: ['render', 'plan.json'], exit: 0, goal: 60 },
  { name: `check of ${resources} resources`, args: ['check'], exit: 2, goal: 120 },
]

/** Of all threads, from the start of the process. */
const report =
  "process.on('exit', () => { const { user, system } = process.cpuUsage(); require('node:fs').writeSync(3, String((user + system) / 1000)) })"

const document = {
  provider: { id: 'small', with: { baseUrl: {} }, baseUrl: '{with.baseUrl}' },
  resources: {
    small_host: {
      operations: {
        retrieve: { method: 'GET', path: '/hosts/{name}' },
        create: { method: 'POST', path: '/hosts' },
        update: { method: 'PATCH', path: '/hosts/{name}' },
        delete: { method: 'DELETE', path: '/hosts/{name}' },
      },
      identity: { keys: ['name'] },
      lookup: { retrieve: true },
      parts: [
        { name: 'main', read: 'retrieve', write: { op: 'update' }, attributes: { name: {}, size: { type: 'number' } } },
      ],
    },
  },
}

/** One of the resources differs. */
const configurationFor = (url: string) => ({
  workspace: 'small',
  providers: { small: { source: 'rest', definition: './small.provider.yaml', with: { baseUrl: url } } },
  resources: Array.from({ length: resources }, (_, n) => ({
    type: 'small_host',
    name: `h${n}`,
    spec: { name: `host-${n}`, size: n === 0 ? 1 : 0 },
  })),
})

const writeFiles = async (folder: string, url: string): Promise<void> => {
  const plan = planOf([entry({ actions: ['update'], before: { v: { a: '1' } }, after: { v: { a: '2' } } })])
  await writeFile(join(folder, 'report.cjs'), report)
  await writeFile(join(folder, 'plan.json'), JSON.stringify(plan))
  // JSON is YAML, and most configurations are YAML.
  await writeFile(join(folder, 'small.provider.yaml'), JSON.stringify(document))
  await writeFile(join(folder, 'plumbline.yaml'), JSON.stringify(configurationFor(url)))
}

/** CPU time of a process, in milliseconds. A command that fails early would look fast, so another exit code than expected throws. */
const cpuOf = async (folder: string, args: readonly string[], exit: number): Promise<number> => {
  const child = spawn(process.execPath, ['--require', './report.cjs', ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [[code], told] = await Promise.all([once(child, 'close'), text(child.stdio[3] as NodeJS.ReadableStream)])
  if (code !== exit) throw new Error(`${args.join(' ')} ended with ${code}, not ${exit}`)
  return Number(told)
}

/** By name, the least of all runs: other work only adds to it. All take turns, so that it adds to each alike. */
const measure = async (folder: string, command: string): Promise<ReadonlyMap<string, number>> => {
  const least = new Map<string, number>()
  const take = async (name: string, args: readonly string[], exit: number) =>
    least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, await cpuOf(folder, args, exit)))
  for (let run = 0; run < runs; run += 1) {
    await take('bare node', ['-e', '0'], 0)
    for (const { name, args, exit } of cases) await take(name, [command, ...args], exit)
  }
  return least
}

/** CPU time of whole commands above that of a bare node; answers the names of those that miss their goals. */
export const benchStart = async (write: (line: string) => void): Promise<readonly string[]> => {
  const command = commandFolder()
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'))
  await using server = await startServer(({ url }, response) =>
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ name: url.split('/').at(-1), size: 0 })),
  )
  try {
    await writeFiles(folder, server.url)
    const least = await measure(folder, join(await command.build(), 'plumbline.mjs'))
    const bare = least.get('bare node') ?? 0
    write(`bare node                ${bare.toFixed(0)} ms`)
    const times = cases.map((each) => ({ ...each, time: (least.get(each.name) ?? 0) - bare }))
    for (const { name, time, goal } of times)
      write(`${name.padEnd(24)} ${time.toFixed(0)} ms more (goal: ${goal} ms)${time > goal ? ', missed' : ''}`)
    return times.flatMap(({ name, time, goal }) => (time > goal ? [name] : []))
  } finally {
    command.end()
    await rm(folder, { recursive: true })
  }
}
