import { getLocation } from 'jsonc-parser'
import { LineCounter } from 'yaml'
import { pathText, valueAt } from '../../json/pointer.ts'
import type { Diagnostic, Issue } from '../../schema/issue.ts'
import type { Json, Path } from '../../schema/json.ts'
import type { Position } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'
import { offsetOf, type Parsed } from './located.ts'
import { parseJson } from './parse-json.ts'
import { parseYaml } from './parse-yaml.ts'
import { inItsValue, say } from './words.ts'

export interface ParsedDocument {
  readonly file: string
  /** Absent if the text could not be parsed. */
  readonly value?: Json
  readonly issues: readonly Issue[]
  /** The position of the value at a path, or of its key; of the nearest parent if the path is not written. */
  locate(path: Path, what?: 'value' | 'key'): Position
}

/** Always returns `undefined`, so that a step can report and stop in one statement. */
export type Report = (path: Path, diagnostic: Diagnostic, what?: 'value' | 'key') => undefined

export const reporter =
  ({ locate, value }: Pick<ParsedDocument, 'locate' | 'value'>, issues: Issue[]): Report =>
  (path, diagnostic, what) => {
    const position = locate(path, what)
    const isPlain = !isJsonnet(position.file) || path.length === 0
    const { message } = diagnostic
    issues.push({
      ...position,
      ...diagnostic,
      message: isPlain ? message : inItsValue(message, namedPath(value, path)),
    })
    return undefined
  }

/** `repositories[web].topics[0]`: elements with a name are called by it, because nobody counts them. */
const namedPath = (whole: Json | undefined, path: Path): string =>
  path
    .map((step, index) => {
      const name = typeof step === 'number' ? valueAt(whole, [...path.slice(0, index + 1), 'name']) : undefined
      return typeof name === 'string' && name !== '' ? `[${name}]` : pathText(['x', step]).slice(index === 0 ? 2 : 1)
    })
    .join('')

export const documentExtensions = ['.yaml', '.yml', '.json', '.jsonc', '.jsonnet'] as const

/** A bundle contains the evaluated JSON under the name of the Jsonnet file; the lines of the two differ. */
export const isJsonnet = (file: string): boolean => file.endsWith('.jsonnet')

export const isDocument = (file: string): boolean => documentExtensions.some((extension) => file.endsWith(extension))

/**
 * Characters of all cached texts besides the two latest. `keptTexts` limits their number too, because short texts add
 * almost nothing.
 */
const keptLength = 300_000
const keptTexts = 200

/**
 * Cached texts, latest first, because repeated checks load the same ones. The two latest stay even if they are long, so
 * that two versions of a long text can be compared.
 */
let latest: readonly { readonly written: string; readonly parsed: ParsedDocument }[] = []

const withoutOldest = (texts: typeof latest): typeof latest => {
  let length = 0
  return texts.filter(({ written }, index) => {
    length += written.length
    return index < 2 || (index < keptTexts && length <= keptLength)
  })
}

/** The extension of the file decides the format; a byte order mark is skipped. Never throws. */
export const parseDocument = (file: string, written: string): ParsedDocument => {
  const known = latest.find((each) => each.parsed.file === file && each.written === written)
  const { parsed } = known ?? { parsed: parseWritten(file, written) }
  latest = withoutOldest([{ written, parsed }, ...latest.filter((each) => each !== known)])
  return parsed
}

const parseWritten = (file: string, written: string): ParsedDocument => {
  const text = written.startsWith('\uFEFF') ? written.slice(1) : written
  const lines = new LineCounter()
  for (let start = 0; start >= 0; start = text.indexOf('\n', start) + 1 || -1) lines.addNewLine(start)
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { file, line, column: col }
  }
  const { root, mistakes } = parseText(file, text, (offset) => lines.linePos(offset).line)
  return {
    file,
    ...defined({ value: root?.value }),
    issues: mistakes.map(({ at, ...diagnostic }) =>
      isJsonnet(file)
        ? { ...positionOf(0), ...inEvaluated(text, at, root?.value, diagnostic) }
        : { ...positionOf(at), ...diagnostic },
    ),
    locate: (path, what) => positionOf(root === undefined || isJsonnet(file) ? 0 : offsetOf(root, path, what)),
  }
}

/** A mistake in a value that Jsonnet gave is told by its path, as nobody sees the text that it became. */
const inEvaluated = (text: string, at: number, whole: Json | undefined, diagnostic: Diagnostic): Diagnostic => {
  const { path } = getLocation(text, at)
  return path.length === 0
    ? diagnostic
    : { ...diagnostic, message: inItsValue(diagnostic.message, namedPath(whole, path)) }
}

const parseText = (file: string, text: string, lineOf: (offset: number) => number): Parsed => {
  const nothing = (at: number, diagnostic: Diagnostic): Parsed => ({ mistakes: [{ at, ...diagnostic }] })
  if (text.includes('\u0000')) return nothing(text.indexOf('\u0000'), say('notUtf8'))
  if (text.trim() === '') return nothing(0, say('emptyFile'))
  try {
    if (isJsonnet(file)) {
      const parsed = parseJson(text, { areDoubles: true }, lineOf)
      const isOther = parsed.mistakes.some(({ code }) => code === 'invalidJson')
      return isOther ? nothing(0, say('notEvaluated', file)) : parsed
    }
    const parsed =
      file.endsWith('.json') || file.endsWith('.jsonc')
        ? parseJson(text, { comments: file.endsWith('c') }, lineOf)
        : parseYaml(text, lineOf)
    return parsed.root === undefined && parsed.mistakes.length === 0 ? nothing(0, say('noContent')) : parsed
  } catch (error) {
    // The library recurses and may exceed the stack before it reaches its own limit. It throws nothing else.
    if (!(error instanceof RangeError)) throw error
    return nothing(0, say('stackOverflow'))
  }
}
