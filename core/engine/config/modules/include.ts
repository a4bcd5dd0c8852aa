import type { Issue } from '../../schema/issue.ts'
import { isObject, type Json, type Path } from '../../schema/json.ts'
import { defined } from '../../values/defined.ts'
import { resolvePath } from '../../values/file-path.ts'
import type { NamedFiles } from '../files/named-files.ts'
import { say as sayOfFile } from '../files/words.ts'
import { type Frame, rootFrame } from '../references/frame.ts'
import { includedShape } from '../shape/module-shape.ts'
import { parseFile } from '../shape/shape-issues.ts'
import { say as sayOfConfiguration } from '../shared/words.ts'
import { documentExtensions, isDocument, parseDocument, reporter } from '../syntax/parse-document.ts'
import type { ConfigurationPart } from './expansion.ts'
import { say } from './words.ts'

interface Including {
  readonly files: NamedFiles
  readonly issues: Issue[]
  readonly frame: Frame
}

const filesOf = (written: Json, path: Path, { files, frame }: Including): readonly string[] => {
  if (typeof written !== 'string' || written === '') return []
  const { file: entry } = frame.locate([])
  const pattern = resolvePath(entry, written)
  if (pattern === undefined) frame.report(path, sayOfFile('outside', written))
  if (pattern === undefined || !pattern.includes('*')) return pattern === undefined ? [] : [pattern]
  const found = files.match(pattern).filter((file) => file !== entry)
  if (found.length === 0) frame.report(path, say('noMatch', written))
  return found
}

const toPart = (file: string, path: Path, { files, frame, issues }: Including): ConfigurationPart | undefined => {
  const { report, variables, names } = frame
  const text = files.getDocument(file)
  if (text === undefined) return report(path, files.refusal(file))
  if (!isDocument(file)) return report(path, sayOfConfiguration('otherFileType', file, documentExtensions))
  const document = parseDocument(file, text)
  for (const issue of document.issues) issues.push(issue)
  const own = reporter(document, issues)
  if (document.value === undefined) return undefined
  if (!isObject(document.value)) return own([], say('noPartMapping'))
  parseFile(includedShape, document.value, own)
  return { frame: rootFrame(file, own, document, defined({ names, variables })), written: document.value }
}

/** Each included file once, in the order of `include`, and sorted within a pattern. */
export const includedParts = (written: readonly Json[], including: Including): readonly ConfigurationPart[] => {
  const places = new Map<string, Path>()
  for (const [index, each] of written.entries()) {
    const path = ['include', index]
    for (const file of filesOf(each, path, including)) if (!places.has(file)) places.set(file, path)
  }
  return [...places].flatMap(([file, path]) => toPart(file, path, including) ?? [])
}
