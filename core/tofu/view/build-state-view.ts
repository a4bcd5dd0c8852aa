import type { Diff } from '../../schema/diff.ts'
import { defined } from '../../values/defined.ts'
import { inferBlock } from '../read/infer-block.ts'
import { resourcesOf, type TofuDocument } from '../read/load-document.ts'
import type { BlockFacts, Schemas } from '../read/schemas.ts'
import type { UnreadEntry } from '../read/shapes.ts'
import { elementsOf, isMap, memberOf, textOf, type Value } from '../read/value.ts'
import { addressOf, orProblem, whyUnread } from '../read/why-unread.ts'
import { annotate } from './annotate.ts'
import { standing } from './diff-sides.ts'
import { blockFacts } from './facts.ts'
import type { StateView, ViewObject } from './plan-view.ts'
import { readChecks } from './read-checks.ts'
import { readStateOutputs } from './read-outputs.ts'
import { type Seal, sealing, toJson } from './to-json.ts'

/** The JSON form of a state, as `show -json` writes it. */
export const buildStateView = ({ members: state, newer }: TofuDocument, schemas: Schemas): StateView => {
  const seal = sealing()
  const objects: ViewObject[] = []
  const problems: UnreadEntry[] = []
  const visit = (module: Value | undefined): void => {
    const address = textOf(memberOf(module, 'address')) ?? ''
    for (const entry of resourcesOf(module)) {
      const found = readObject(entry, address, schemas, seal)
      if (found.object !== undefined) objects.push(found.object)
      if (found.problem !== undefined) problems.push(found.problem)
    }
    for (const child of elementsOf(memberOf(module, 'child_modules'))) visit(child)
  }
  visit(memberOf(state.get('values'), 'root_module'))
  const outputs = readStateOutputs(memberOf(state.get('values'), 'outputs'), seal)
  return {
    kind: 'state',
    newer,
    objects,
    outputs: outputs.flatMap(({ output }) => output ?? []),
    checks: readChecks(state.get('checks')),
    problems: [...problems, ...outputs.flatMap(({ problem }) => problem ?? [])],
  }
}

interface ReadObject {
  readonly object?: ViewObject
  readonly problem?: UnreadEntry
}

const readObject = (entry: Value, module: string, schemas: Schemas, seal: Seal): ReadObject => {
  const address = addressOf(entry)
  const values = memberOf(entry, 'values') ?? new Map()
  const sensitive = memberOf(entry, 'sensitive_values') ?? null
  const detail = whyUnread(entry) ?? (isMap(values) || sensitive === true ? undefined : 'what it holds is no object')
  if (detail !== undefined) return { problem: { address, detail } }
  const mode = textOf(memberOf(entry, 'mode')) ?? 'managed'
  if (mode !== 'managed' && mode !== 'data') return {}
  const text = (name: string): string => textOf(memberOf(entry, name)) ?? ''
  return orProblem(address, () => ({
    object: {
      address,
      ...defined({ module: module === '' ? undefined : module }),
      mode,
      type: text('type'),
      name: text('name'),
      ...defined({ deposed: text('deposed_key') === '' ? undefined : text('deposed_key') }),
      tainted: memberOf(entry, 'tainted') === true,
      diff: diffOf(values, sensitive, schemas({ provider: text('provider_name'), mode, type: text('type') }), seal),
    },
  }))
}

const diffOf = (value: Value, sensitive: Value, block: BlockFacts | undefined, seal: Seal): Diff => {
  const found = { values: [value], markers: [sensitive] }
  const facts = blockFacts(block ?? inferBlock({ ...found, expressions: undefined }), found, block !== undefined)
  const json = toJson({ value, sensitive }, facts, seal) ?? {}
  return annotate(standing(facts, json), facts, [])
}
