import { parseDocument as parseText } from '../../../engine/config/syntax/parse-document.ts'
import type { Issue } from '../../../engine/schema/issue.ts'
import type { Json, Path } from '../../../engine/schema/json.ts'
import type { Position } from '../../../engine/schema/resource.ts'
import { parseDocument } from '../../../providers/rest/check/parse-document.ts'
import type { RestDocument } from '../../../providers/rest/document/document.ts'

export interface NamedText {
  readonly name: string
  readonly text: string
}

interface OpenedDocument {
  /** As it is written; absent if the text is invalid. */
  readonly value?: Json
  /** Absent if there are issues. */
  readonly document?: RestDocument
  readonly issues: readonly Issue[]
  readonly locate: (path: Path) => Position
}

/** Never throws: issues are returned with their places. */
export const openDocument = ({ name, text }: NamedText): OpenedDocument => {
  const { value, issues, locate: place } = parseText(name, text)
  const locate = (path: Path): Position => place(path)
  if (value === undefined || issues.length > 0) return { issues, locate }
  const parsed = parseDocument({ file: name, value, locate })
  return parsed.ok ? { value, document: parsed.document, issues: [], locate } : { value, issues: parsed.issues, locate }
}

export const byPlace = (left: Position, right: Position): number => left.line - right.line || left.column - right.column
