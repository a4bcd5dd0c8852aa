import { defined, present } from '../../../engine/values/defined.ts'
import { type Block, type Report, risks } from '../../render/report/report.ts'
import { tallyModules } from '../../render/report/tally-modules.ts'
import { layOutDiff, noAnnotations } from '../../render/rows/lay-out-diff.ts'
import { amounts, count } from '../../render/shared/words.ts'
import type { StateView, ViewObject } from '../view/plan-view.ts'
import { listsOfView, memberNotes, newerNote, outputBlock } from './parts.ts'
import { leftOver } from './reasons.ts'
import { objectName } from './words.ts'

/** The report of a state: its objects by module, all unchanged. */
export const reportOfState = (view: StateView, title: string): Report => {
  const { objects, outputs, checks, problems } = view
  const blocks = objects.map(objectBlock)
  const tainted = objects.filter((object) => object.tainted).length
  const told = amounts([
    [tainted, 'tainted'],
    [problems.length, 'could not be shown'],
  ])
  const first = objects.length + outputs.length === 0 ? 'the state is empty' : count(objects.length, 'object')
  return {
    title,
    headline: [[first, ...told].join(', ')],
    tone: problems.length > 0 ? 'unknown' : tainted + checks.length > 0 ? 'change' : 'good',
    notes: [...(view.newer ? [[newerNote]] : []), ...memberNotes(view)],
    tallies: [],
    modules: tallyModules(blocks),
    sections: [
      { kind: 'objects' as const, title: 'Objects', blocks: byModule(blocks) },
      { kind: 'outputs' as const, title: 'Outputs', blocks: outputs.map(outputBlock) },
    ].filter(({ blocks: own }) => own.length > 0),
    lists: listsOfView(view),
  }
}

/** In the order of the modules, within one in the order of the state. */
const byModule = (blocks: readonly Block[]): readonly Block[] => {
  const own = Map.groupBy(blocks, (block) => block.module ?? '')
  const inOrder = tallyModules(blocks).map(({ module }) => module)
  return inOrder.length === 0 ? blocks : inOrder.flatMap((module) => own.get(module) ?? [])
}

const objectBlock = (object: ViewObject): Block => ({
  symbol: '',
  tone: object.tainted ? 'update' : 'other',
  risk: risks.none,
  address: objectName(object),
  ...defined({ module: object.module }),
  also: [],
  words: present(object.tainted && 'is tainted: the next plan replaces it', object.deposed !== undefined && leftOver),
  rows: layOutDiff(object.diff, { ...noAnnotations, whole: true }),
})
