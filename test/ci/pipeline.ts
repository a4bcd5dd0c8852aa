import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { parse } from 'yaml'

/*
 * Runs the scripts of a workflow as a runner does: each in a shell of its own, in a fresh checkout for each job. Steps that use an
 * action do nothing, but for those that hand a file from one job to the next.
 */

export type Words = Readonly<Record<string, string>>

interface Step {
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly with?: Words
  readonly run?: string
  readonly env?: Words
}

interface GithubWorkflow {
  readonly env?: Words
  readonly jobs: Readonly<
    Record<
      string,
      { readonly if?: string; readonly outputs?: Words; readonly env?: Words; readonly steps: readonly Step[] }
    >
  >
}

interface GitlabJob {
  readonly script: readonly string[]
  readonly artifacts?: { readonly paths?: readonly string[]; readonly reports?: Words }
}

export interface JobResult {
  readonly code: number
  readonly log: string
  /** Of GitHub: what the steps wrote for the page of the run. */
  readonly summary: string
  readonly outputs: Words
  /** What the programs of the forge were called with. */
  readonly forge: string
  /** A file of the checkout, after the job. */
  file(name: string): Promise<string>
}

/** What a repository has besides its files: the command as npm would install it, and `npm`, `gh` and `curl` without a network. */
const installTools = async (folder: string, command: string): Promise<void> => {
  const tools: Words = {
    'node_modules/.bin/plumbline': command,
    'tools/npm': 'exit 0',
    'tools/npx': 'name=$1; shift; exec "./node_modules/.bin/$name" "$@"',
    'tools/gh': 'echo "gh $*" >> "$FORGE_LOG"; for last; do :; done; cat "$last" >> "$FORGE_LOG"',
    'tools/curl': 'echo "curl $*" >> "$FORGE_LOG"; for last; do :; done; cat "${last#*@}" >> "$FORGE_LOG"',
  }
  for (const [path, script] of Object.entries(tools)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, path), 0o755)
  }
}

export interface Runner {
  /** What a script of the shell says to run the command. */
  readonly command: string
  readonly files?: Words
  /** The folder of a Git repository that each job clones, instead of files. */
  readonly repository?: string
  /** Values of expressions and of the runner's own variables; an unknown expression is an error. */
  readonly values: Words
  readonly variables: Words
}

const readOr = async (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

/** The texts of a file, or of all files in a folder, by their paths from there. */
const filesAt = async (path: string): Promise<Words> => {
  if (!(await stat(path).catch(() => undefined))?.isDirectory()) return { [basename(path)]: await readOr(path) }
  const found = await readdir(path, { recursive: true, withFileTypes: true })
  const files = found.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
  return Object.fromEntries(await Promise.all(files.map(async (file) => [relative(path, file), await readOr(file)])))
}

const writeAll = async (folder: string, files: Words): Promise<void> => {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

export const createRunner = ({ command, files = {}, repository, values, variables }: Runner) => {
  const artifacts = new Map<string, Words>()
  const folders: string[] = []

  const checkout = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plumbline-ci-'))
    if (repository !== undefined) execFileSync('git', ['clone', '--quiet', repository, folder])
    await writeAll(folder, files)
    await installTools(folder, command)
    folders.push(folder)
    return folder
  }

  const shell = async (script: string, folder: string, env: Words) => {
    const file = join(folder, 'tools', 'step.sh')
    await writeFile(file, script)
    const child = spawn('bash', ['-e', file], {
      cwd: folder,
      env: { PATH: `${join(folder, 'tools')}:${process.env['PATH']}`, HOME: folder, ...variables, ...env },
    })
    let log = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (log += data))
    const [code] = await once(child, 'close')
    return { code: Number(code), log }
  }

  const outputsIn = async (file: string): Promise<Words> =>
    Object.fromEntries(
      (await readOr(file))
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('=', 2) as [string, string]),
    )

  const result = (folder: string, ended: { code: number; log: string }, more: Partial<JobResult> = {}): JobResult => ({
    ...ended,
    summary: '',
    outputs: {},
    forge: '',
    file: (name) => readOr(join(folder, name)),
    ...more,
  })

  return {
    end: () => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))),

    /** A job of GitHub Actions. `needed`: the outputs of the jobs before. */
    github: async (text: string, name: string, needed: Words = {}): Promise<JobResult> => {
      const { env = {}, jobs }: GithubWorkflow = parse(text)
      const job = jobs[name]
      if (job === undefined) throw new Error(`no job ${name}`)
      const folder = await checkout()
      const known: Record<string, string> = { ...values, ...needed }
      const expressionValue = (expression: string): string => {
        const value = known[expression.trim()]
        if (value === undefined) throw new Error(`unknown expression ${expression}`)
        return value
      }
      const filled = (words: Words): Words =>
        Object.fromEntries(
          Object.entries(words).map(([key, value]) => [
            key,
            value.replaceAll(/\$\{\{(.*?)\}\}/g, (_, e) => expressionValue(e)),
          ]),
        )
      const holds = (condition?: string): boolean => {
        if (condition === undefined) return true
        return condition.split(' || ').some((each) => {
          const [, left = '', right = ''] = /^([\w.]+) == '(.*)'$/.exec(each) ?? []
          return expressionValue(left) === right
        })
      }
      if (!holds(job.if)) throw new Error(`the job ${name} is skipped`)
      const places = {
        GITHUB_OUTPUT: join(folder, 'tools', 'output'),
        GITHUB_STEP_SUMMARY: join(folder, 'tools', 'summary'),
        FORGE_LOG: join(folder, 'tools', 'forge'),
      }
      let ended = { code: 0, log: '' }
      for (const step of job.steps) {
        if (ended.code !== 0 || !holds(step.if)) continue
        const { path = '', name: artifact = '' } = step.with ?? {}
        if (step.uses?.startsWith('actions/upload-artifact@'))
          artifacts.set(artifact, await filesAt(join(folder, path)))
        if (step.uses?.startsWith('actions/download-artifact@'))
          await writeAll(join(folder, path), artifacts.get(artifact) ?? {})
        if (step.run === undefined) continue
        const { code, log } = await shell(step.run, folder, {
          ...filled({ ...env, ...job.env, ...step.env }),
          ...places,
        })
        ended = { code, log: `${ended.log}${log}` }
        const given = await outputsIn(places.GITHUB_OUTPUT)
        for (const [key, value] of Object.entries(given)) known[`steps.${step.id}.outputs.${key}`] = value
      }
      return result(folder, ended, {
        summary: await readOr(places.GITHUB_STEP_SUMMARY),
        forge: await readOr(places.FORGE_LOG),
        outputs: ended.code === 0 ? filled(job.outputs ?? {}) : {},
      })
    },

    /** A job of GitLab; artifacts of the jobs before it are in its checkout. */
    gitlab: async (text: string, name: string, environment: Words = {}): Promise<JobResult> => {
      const document = parse(text)
      const job: GitlabJob = document[name]
      const folder = await checkout()
      for (const [path, found] of artifacts) await writeAll(join(folder, path), found)
      const own: Words = document.variables
      const before: readonly string[] = document.default.before_script
      const log = join(folder, 'tools', 'forge')
      const env = { ...own, ...environment, FORGE_LOG: log }
      const exports = Object.entries(own).map(([key, value]) => `export ${key}="${value}"`)
      const ended = await shell([...exports, ...before, ...job.script].join('\n'), folder, env)
      for (const path of job.artifacts?.paths ?? []) {
        const isFile = (await stat(join(folder, path)).catch(() => undefined))?.isFile()
        artifacts.set(isFile ? '.' : path, await filesAt(join(folder, path)))
      }
      return result(folder, ended, { forge: await readOr(log) })
    },
  }
}
