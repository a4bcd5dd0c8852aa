import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startGitHub } from '../../github/start-github.ts'
import type { CheckFigures } from './checks.ts'
import { declaredResources, fillOrganization, type KindName, kindNames } from './organization.ts'

/*
 * `npm run bench:github [repositories] [milliseconds a call] [set]`: a cold and a warm check of an organisation, within the limits
 * of github.com by the real clock. What is declared decides how long that takes: 900 calls of REST fit into a minute.
 */

const [count = 1000, latency = 20] = process.argv.slice(2, 4).map(Number)
const only = process.argv[4]

const sets: readonly { readonly name: string; readonly kinds: readonly KindName[]; readonly perHour: number }[] = [
  { name: 'settings', kinds: ['settings'], perHour: count > 4000 ? 15_000 : 5000 },
  { name: 'settings, protection, labels', kinds: ['settings', 'protection', 'labels'], perHour: 5000 },
  { name: 'settings, rulesets, variables', kinds: ['settings', 'rulesets', 'variables'], perHour: 5000 },
  { name: 'everything', kinds: kindNames, perHour: 15_000 },
]

const write = (line: string): void => void process.stdout.write(`${line}\n`)
const number = (value: number): string => Math.round(value).toLocaleString('en')

for (const { name, kinds, perHour } of sets.filter(({ name }) => only === undefined || name === only)) {
  await using github = await startGitHub({
    clock: { now: () => Date.now(), advance: () => {} },
    limits: 'github',
    latency,
    checkAnswers: false,
  })
  github.limits.set({ perHour })
  fillOrganization(github, count, kinds)
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'))
  const file = join(folder, 'plumbline.json')
  const with_ = { organization: 'acme', baseUrl: github.url, token: { secret: 'env:TOKEN' } }
  const resources = declaredResources(count, kinds)
  await writeFile(
    file,
    JSON.stringify({
      workspace: 'w',
      providers: { github: { source: 'github', with: with_ } },
      limits: { time: '1h' },
      resources,
    }),
  )
  write(`\n# ${name}: ${number(count)} repositories, ${number(resources.length)} resources, ${perHour} calls an hour`)
  const script = new URL('./checks.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, file, github.url, github.token(), '2'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const seen: { readonly counted: number }[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const { seconds, changes, unchecked, megabytes, why, forecast } = JSON.parse(line) as CheckFigures
    const calls = github.requests.map(({ path, counted, status }) => ({
      kind: path.includes('graphql') ? 'GraphQL' : status === 304 ? '304' : '200',
      counted,
    }))
    const of = (kind: string): number => calls.filter((each) => each.kind === kind).length
    const counted = calls.filter((each) => each.counted).length
    const first = seen.push({ counted }) === 1
    const share = first
      ? `${(calls.length / count).toFixed(2)} a repository`
      : `${((100 * counted) / (seen[0]?.counted ?? 1)).toFixed(1)} % of cold`
    const told =
      forecast === undefined
        ? 'no forecast'
        : `forecast ${number(forecast.counted)} + ${number(forecast.free)} in ${forecast.seconds ?? '?'} s`
    write(
      `${first ? 'cold' : 'warm'}  200: ${number(of('200'))}  304: ${number(of('304'))}  GraphQL: ${number(of('GraphQL'))}  counted ${number(counted)} (${share})  ${seconds.toFixed(1)} s  ${number(megabytes)} MB  ${told}  ${changes} changes, ${unchecked} unchecked`,
    )
    if (why !== undefined) write(`      unchecked: ${why}`)
    const kindsOfCalls = Map.groupBy(github.requests, ({ path }) =>
      path
        .replace(/\?.*/, '')
        .replace(/service-\d+/, '*')
        .replace(/\d{4,}/, '*'),
    )
    for (const [path, some] of [...kindsOfCalls].toSorted(([, a], [, b]) => b.length - a.length))
      write(`        ${number(some.length).padStart(6)}  ${path}`)
    github.forget()
  }
  const { primary, secondary, mostConcurrent } = github.limits.seen
  write(`      breaches: ${primary} primary, ${secondary} secondary; at most ${mostConcurrent} calls at once`)
  if (github.violations.length > 0) write(`      violations: ${JSON.stringify(github.violations[0])}`)
  await rm(folder, { recursive: true })
}
