import type { Diff } from '../../../engine/schema/diff.ts'
import { defined } from '../../../engine/values/defined.ts'
import { inferBlock } from '../read/infer-block.ts'
import { resourcesOf, type TofuDocument } from '../read/load-document.ts'
import { readStateObject } from '../read/read-resource.ts'
import type { BlockFacts, Schemas } from '../read/schemas.ts'
import type { UnreadEntry } from '../read/shapes.ts'
import { elementsOf, isMap, memberOf, textOf, type Value } from '../read/value.ts'
import { orProblem, resourceAddress, whyUnread } from '../read/why-unread.ts'
import { annotate, standing } from './annotate.ts'
import { blockFacts } from './facts.ts'
import type { StateView, ViewObject } from './plan-view.ts'
import { readChecks, readStateOutputs } from './read-results.ts'
import { type Seal, sealing, toJson } from './to-json.ts'

/** The JSON form of a state, as `show -json` writes it. */
export const buildStateView = (
  { members: state, newer, unknownMembers }: TofuDocument,
  schemas: Schemas,
): StateView => {
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
    unknownMembers,
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
  const address = resourceAddress(entry)
  const head = readStateObject(entry)
  const isHolder = head === undefined || isMap(head.values) || head.sensitive === true
  const detail = whyUnread(entry) ?? (isHolder ? undefined : 'its values are not an object')
  if (detail !== undefined) return { problem: { address, detail } }
  if (head === undefined) return {}
  const { provider: _, values, sensitive, address: own, ...named } = head
  return orProblem(address, () => ({
    object: {
      address: own,
      ...defined({ module: module === '' ? undefined : module }),
      ...named,
      diff: diffOf(values, sensitive, schemas(head), seal),
    },
  }))
}

const diffOf = (value: Value, sensitive: Value, block: BlockFacts | undefined, seal: Seal): Diff => {
  const found = { values: [value], markers: [sensitive] }
  const facts = blockFacts(block ?? inferBlock({ ...found, expressions: undefined }), found, block !== undefined)
  const json = toJson({ value, sensitive }, facts, seal) ?? {}
  return annotate(standing(facts, json), facts, [])
}
