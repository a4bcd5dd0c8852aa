import { defined } from '../../engine/values/defined.ts'
import { type PlanFormat, planFormats, writeReport } from '../render/index.ts'
import type { RenderOptions } from '../render/report/report.ts'
import { buildTofuReport } from './compat/build-report.ts'
import { renderTofuReport } from './compat/render/render-report.ts'
import { type TofuCompat, tofuCompats } from './compat/report.ts'
import { differRules } from './compat/rules.ts'
import { loadTofuDocument } from './read/load-document.ts'
import { loadTofuSchemas } from './read/load-schemas.ts'
import type { ByteStream } from './read/read-json.ts'
import type { TofuMode } from './read/shapes.ts'
import { newerNote } from './report/parts.ts'
import { reportOfView } from './report/plan-report.ts'
import { unshownNote } from './report/unshown.ts'
import { buildView } from './view/build-view.ts'

/**
 * The entry point for plans and states of OpenTofu and Terraform, in our formats, or byte for byte as the products print
 * them. Nothing else in the core imports this folder.
 */

export { type TofuCompat, tofuCompats }

interface TofuOptions extends Omit<RenderOptions, 'at'> {
  /** Of the plan's providers; inferred from the values without them. */
  readonly schemas?: ByteStream | undefined
  /** How the plan was made; inferred where absent. */
  readonly mode?: TofuMode | undefined
  readonly format: PlanFormat
  /** The output of that product itself, as text, instead of the format. */
  readonly compat?: TofuCompat | undefined
}

interface Rendered {
  readonly text: string
  /** For people, beside the text: what the text does not show. */
  readonly note?: string
}

/** Reads the output of `show -json` once and renders it. Rejects with USAGE if it is neither a plan nor a state. */
export const renderTofu = async (
  source: ByteStream,
  { schemas, mode, format, compat, ...look }: TofuOptions,
): Promise<Rendered> => {
  const document = await loadTofuDocument(source)
  const known = schemas === undefined ? undefined : await loadTofuSchemas(schemas, document)
  if (compat !== undefined) {
    const page = buildTofuReport(document, { schemas: known, mode, compat })
    const note = unshownNote(document, differRules[compat].knowsActions)
    return { text: renderTofuReport(page, { compat, ...look }), ...defined({ note }) }
  }
  const view = buildView(document, { schemas: known, mode })
  const renderer = await planFormats[format].load()
  // The JSON is the view itself: the format of a plan is for plans of ours.
  const text =
    'ofPlan' in renderer ? `${JSON.stringify(view)}\n` : writeReport(renderer, reportOfView(view, document.name), look)
  return view.newer ? { text, note: `${document.name} was ${newerNote}` } : { text }
}
