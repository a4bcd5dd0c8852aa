import type { Diagnostic, Issue } from '../../schema/issue.ts'
import { isObject, type Json } from '../../schema/json.ts'
import type { BundlePreview } from '../../schema/stored/preview.ts'
import { defined } from '../../values/defined.ts'
import { resolvePath } from '../../values/file-path.ts'
import { longestBase, type PreviewNames, previewNames } from '../../values/preview-names.ts'
import type { NamedFiles } from '../files/named-files.ts'
import { jsonnetFault, outsideFault } from '../files/source.ts'
import { say as sayOfFile } from '../files/words.ts'
import { parseFile } from '../shape/shape-issues.ts'
import {
  documentExtensions,
  isDocument,
  type ParsedDocument,
  parseDocument,
  type Report,
  reporter,
} from '../syntax/parse-document.ts'
import { type Overlay, overlayShape } from './overlay-shape.ts'
import { say } from './words.ts'

/** Contains what is readable if the overlay has problems, which are reported. */
export interface LoadedOverlay {
  readonly base: string
  readonly names: PreviewNames
  readonly overlay: Overlay
  readonly document: ParsedDocument
  readonly report: Report
}

interface OverlayInput {
  /** The name of the base workspace in its entry file. */
  readonly base: string
  readonly entry: ParsedDocument
  readonly files: NamedFiles
  readonly issues: Issue[]
}

/** There is a file, or it was not looked for. */
const isTold = ({ code }: Diagnostic): boolean => code === jsonnetFault || code === outsideFault

export const loadOverlay = (preview: BundlePreview, { base, entry, files, issues }: OverlayInput): LoadedOverlay => {
  const names = previewNames(base, preview.branch)
  const refuse = reporter(entry, issues)
  if (base.length > longestBase) refuse(['workspace'], say('longBase', base, longestBase))
  const { document, value } = read(preview.overlay, files, issues)
  const report = reporter(document, issues)
  const overlay = value === undefined ? undefined : parseFile(overlayShape, value, report)
  return { base, names, overlay: overlay ?? {}, document, report }
}

const read = (
  written: string,
  files: NamedFiles,
  issues: Issue[],
): { readonly document: ParsedDocument; readonly value?: Json } => {
  const file = resolvePath('', written) ?? written
  const nothing: ParsedDocument = { file, issues: [], locate: () => ({ file, line: 1, column: 1 }) }
  const report = reporter(nothing, issues)
  const text = files.getDocument(written)
  const refusal = text === undefined ? files.refusal(written) : undefined
  if (resolvePath('', written) === undefined) report([], sayOfFile('outside', written))
  else if (!isDocument(file)) report([], say('otherOverlayType', file, documentExtensions))
  else if (refusal !== undefined) report([], isTold(refusal) ? refusal : say('noOverlay', file))
  if (text === undefined || !isDocument(file)) return { document: nothing }
  const document = parseDocument(file, text)
  for (const issue of document.issues) issues.push(issue)
  const { value } = document
  if (value !== undefined && !isObject(value)) reporter(document, issues)([], say('noMapping'))
  return { document, ...defined({ value: isObject(value) ? value : undefined }) }
}
