import type { Issue } from '../../schema/issue.ts'
import type { Json, Path } from '../../schema/json.ts'
import type { Position } from '../../schema/resource.ts'
import { defined } from '../../values/defined.ts'
import type { Parsed } from './located.ts'
import { asIssue, offsetOf, positionFinder } from './located.ts'
import { parseJson } from './parse-json.ts'
import { parseYaml } from './parse-yaml.ts'

export interface ParsedDocument {
  /** Absent where the text could not be understood. */
  readonly value?: Json
  readonly issues: readonly Issue[]
  /** Where the value at a path, or its key, stands; the nearest parent where it is not written. */
  locate(path: Path, what?: 'value' | 'key'): Position
}

export const documentExtensions = ['.yaml', '.yml', '.json', '.jsonc'] as const

const parseText = (file: string, text: string, lineOf: (offset: number) => number): Parsed => {
  if (text.includes('\u0000')) {
    return {
      problems: [{ at: text.indexOf('\u0000'), message: 'this is not UTF-8 text', fix: 'save the file as UTF-8' }],
    }
  }
  if (text.trim() === '')
    return { problems: [{ at: 0, message: 'the file is empty', fix: 'write a mapping of keys to values' }] }
  const parsed = parseSyntax(file, text, lineOf)
  return parsed.root === undefined && parsed.problems.length === 0
    ? { problems: [{ at: 0, message: 'the file holds no value', fix: 'write a mapping of keys to values' }] }
    : parsed
}

const parseSyntax = (file: string, text: string, lineOf: (offset: number) => number): Parsed => {
  try {
    if (file.endsWith('.json')) return parseJson(text, false, lineOf)
    return file.endsWith('.jsonc') ? parseJson(text, true, lineOf) : parseYaml(text, lineOf)
  } catch (error) {
    // The library recurses: the stack ends before its own limit does. Nothing else is its to throw.
    if (!(error instanceof RangeError)) throw error
    return { problems: [{ at: 0, message: 'the nesting is too deep', fix: 'write it flatter' }] }
  }
}

/** Parses by the file's extension; a byte order mark is skipped. Never throws, whatever the text. */
export const parseDocument = (file: string, written: string): ParsedDocument => {
  const text = written.startsWith('\uFEFF') ? written.slice(1) : written
  const positionOf = positionFinder(file, text)
  const { root, problems } = parseText(file, text, (offset) => positionOf(offset).line)
  return {
    ...defined({ value: root?.value }),
    issues: problems.map((problem) => asIssue(problem, positionOf)),
    locate: (path, what) => positionOf(root === undefined ? 0 : offsetOf(root, path, what)),
  }
}
