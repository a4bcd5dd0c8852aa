import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type FindImport, type FoundFile, isAbove, jsonnetFault, resolvePath } from '#core'
import type { ProgramEnd, ProgramRun } from '../../transport/exec/run-program.ts'
import { type FileLimit, ownFolder } from '../file-limit.ts'
import { maxFileBytes, readTextFile } from '../read-text-file.ts'
import { faultOf } from './fault.ts'
import { importsIn } from './find-imports.ts'
import { refusals } from './words.ts'

const timeoutMs = 30_000
const maxImports = 1_000
/** A text that doubles itself would take all memory of the machine within this time. */
const maxMemory = 2 * 1024 * 1024 * 1024

export interface JsonnetDeps {
  readonly run: (run: ProgramRun) => Promise<ProgramEnd>
  /** The folders that are searched for the command, written as in PATH. */
  readonly path: string
  /** Maps imports that do not mean the file that they name. */
  readonly findImport?: FindImport
  /** The folder of the entry when absent. */
  readonly limit?: FileLimit
}

type Texts = ReadonlyMap<string, string>
type Refusal = Exclude<FoundFile, { readonly text: string }>

const resolveImport = (from: string, path: string): string | undefined =>
  path.includes('\0') ? undefined : resolvePath(from, path)

const placeAt = (file: string, text: string, offset: number) => {
  const before = text.slice(0, offset).split('\n')
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

type ReadText = (path: string) => Promise<FoundFile>

const collect = async (
  entry: string,
  readText: ReadText,
  findImport: FindImport = () => undefined,
): Promise<Texts | Refusal> => {
  const texts = new Map<string, string>()
  const first = await readText(entry)
  if (!('text' in first)) return first
  texts.set(entry, first.text)
  const code = new Set([entry])
  for (const file of code) {
    const text = texts.get(file) ?? ''
    for (const { path, at, isCode } of importsIn(text)) {
      const place = placeAt(file, text, at)
      const imported = path === undefined ? undefined : resolveImport(file, path)
      if (imported === undefined) return { ...place, ...refusals.outside(path) }
      if (isCode) code.add(imported)
      if (texts.has(imported)) continue
      const found = await readImport(imported, readText, findImport)
      if (!('text' in found)) return { ...place, code: jsonnetFault, ...found }
      if (texts.size > maxImports) return { ...place, ...refusals.manyImports(maxImports) }
      texts.set(imported, found.text)
    }
  }
  return texts
}

const readImport = async (path: string, readText: ReadText, findImport: FindImport): Promise<FoundFile> => {
  const instead = findImport(path)
  if (instead !== undefined && 'text' in instead) return instead
  const found = await readText(instead !== undefined && 'path' in instead ? instead.path : path)
  return instead !== undefined && 'fix' in instead && !('text' in found) ? { ...found, ...instead } : found
}

/** Evaluates copies, so that exactly the inspected texts are evaluated. */
const copyTo = async (folder: string, texts: Texts): Promise<void> => {
  for (const [path, text] of texts) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/** Far enough below the temporary folder that no copy is above that. */
const baseIn = (folder: string, texts: Texts): string => {
  const heights = [...texts.keys()].map((path) => path.split('/').filter((part) => part === '..').length)
  return join(folder, ...Array.from({ length: Math.max(...heights) }, () => 'w'))
}

/** One of the two commands shortens the paths of the copies, and the other one does not. */
const asNamed = (said: string, base: string, texts: Texts): string => {
  const above = [...texts.keys()].filter(isAbove).toSorted((a, b) => b.length - a.length)
  return above.reduce((text, path) => text.replaceAll(join(base, path), path), said.replaceAll(`${base}/`, ''))
}

const answerOf = (entry: string, end: ProgramEnd, toNames: (said: string) => string): FoundFile => {
  switch (end.kind) {
    case 'not started':
      return end.code === 'ENOENT' ? refusals.noCommand(entry) : refusals.notStarted(entry, end.code)
    case 'timeout':
      return refusals.timeout(entry, timeoutMs)
    case 'flood':
      return end.of === 'memory' ? refusals.memory(entry, maxMemory) : refusals.flood(entry, maxFileBytes)
    case 'cancelled':
      return refusals.notStarted(entry, end.kind)
    case 'ended':
      return end.exitCode === 0
        ? { text: end.stdout.toString('utf8') }
        : faultOf(entry, toNames(end.stderr.toString('utf8')))
  }
}

/**
 * Evaluates a Jsonnet file to JSON with the command `jsonnet`. The command gets copies of the file and of its imports,
 * all from within the limit; no variables, no library path and nothing of the environment.
 */
export const evaluateJsonnet = async (
  root: string,
  entry: string,
  { run, path, findImport, limit = ownFolder(root) }: JsonnetDeps,
): Promise<FoundFile> => {
  const found = await collect(entry, (name) => readTextFile(root, name, limit), findImport)
  if ('message' in found) return found
  const texts = found as Texts
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'plumbline-jsonnet-'))
  try {
    const base = baseIn(folder, texts)
    await copyTo(base, texts)
    const args = ['--', join(base, entry)]
    const limits = { timeoutMs, maxBytes: maxFileBytes, maxMemory, isCut: false }
    const end = await run({ program: 'jsonnet', args, env: {}, path, ...limits })
    return answerOf(entry, end, (said) => asNamed(said, base, texts))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
