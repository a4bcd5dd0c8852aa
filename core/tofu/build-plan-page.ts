import type { TofuDeferred, TofuMode, TofuPlanPage, TofuResource } from '../schema/tofu.ts'
import { diffBlock } from './diff-block.ts'
import { diffJson } from './diff-json.ts'
import type { BlockFacts, Schemas } from './facts.ts'
import { expressionsOf, inferBlock } from './infer-facts.ts'
import { entriesOf, type TofuDocument } from './load-document.ts'
import { everywhere, leadsHere, type Paths, pathsOf } from './paths.ts'
import { checkVersion } from './read-document.ts'
import { readInvocations } from './read-invocations.ts'
import { type ResourceHead, readResource } from './read-resource.ts'
import { type DifferRules, rulesFor } from './rules.ts'
import { asUnchanged, type Sides, sidesOf } from './side-by-side.ts'
import { elementsOf, isMap, memberOf, sortedKeys, textOf, type Value, type ValueMap } from './value.ts'

export interface PlanOptions {
  readonly schemas: Schemas
  readonly rules: DifferRules
  /** As the plan looks where absent: it does not say. */
  readonly mode?: TofuMode | undefined
}

const sidesOfChange = (change: Value | undefined, relevant: Paths, rules: DifferRules): Sides =>
  sidesOf({
    before: memberOf(change, 'before') ?? null,
    after: memberOf(change, 'after') ?? null,
    unknown: memberOf(change, 'after_unknown') ?? null,
    beforeSensitive: memberOf(change, 'before_sensitive') ?? null,
    afterSensitive: memberOf(change, 'after_sensitive') ?? null,
    replacing: pathsOf(memberOf(change, 'replace_paths'), false),
    relevant,
    rules,
  })

const inferFacts = (plan: ValueMap, head: ResourceHead, sides: Sides): BlockFacts =>
  inferBlock({
    values: [sides.before, sides.after],
    markers: [sides.unknown, sides.beforeSensitive, sides.afterSensitive],
    expressions: expressionsOf(plan.get('configuration'), { ...head, module: head.moduleAddress }),
  })

/** What only a delete of a read object would show is never shown. */
const isShown = ({ action, mode, previousAddress, importing }: ResourceHead): boolean => {
  if (action === 'no-op') return previousAddress !== undefined || importing !== undefined
  return action !== 'delete' || mode === 'managed'
}

interface Diffing {
  readonly plan: ValueMap
  readonly schemas: Schemas
  readonly rules: DifferRules
}

const withDiff = ({ plan, schemas, rules }: Diffing, head: ResourceHead, relevant: Paths): TofuResource => {
  const { provider: _, change, ...shown } = head
  const facts = schemas(head)
  const sides = sidesOfChange(change, relevant, rulesFor(rules, facts))
  const isStill = head.action === 'forget' && rules.forgottenStandsStill
  const node = diffBlock(isStill ? asUnchanged(sides) : sides, facts ?? inferFacts(plan, head, sides))
  return { ...shown, node }
}

const relevantTo = (plan: ValueMap, address: string, mode: TofuMode): Paths => {
  if (mode === 'refresh-only') return everywhere
  const rest = elementsOf(plan.get('relevant_attributes'))
    .filter((entry) => ['', address].includes(textOf(memberOf(entry, 'resource')) ?? ''))
    .map((entry) => elementsOf(memberOf(entry, 'attribute')))
  return { rest, covering: true }
}

const driftOf = ({ drift }: TofuDocument, mode: TofuMode, diffing: Diffing): TofuResource[] => {
  const resources: TofuResource[] = []
  for (const head of headsOf(drift)) {
    const relevant = relevantTo(diffing.plan, head.address, mode)
    if (!leadsHere(relevant)) continue
    const resource = withDiff(diffing, head, relevant)
    if (mode === 'refresh-only' || resource.node.action !== 'no-op') resources.push(resource)
  }
  return resources
}

function* headsOf(entries: readonly string[]): Generator<ResourceHead> {
  for (const entry of entriesOf(entries)) {
    const head = readResource(entry)
    if (head !== undefined) yield head
  }
}

const deferredOf = (diffing: Diffing): TofuDeferred[] =>
  elementsOf(diffing.plan.get('deferred_changes')).flatMap((entry) => {
    const head = readResource(memberOf(entry, 'resource_change') ?? null)
    const reason = textOf(memberOf(entry, 'reason')) ?? ''
    return head === undefined ? [] : [{ reason, resource: withDiff(diffing, head, everywhere) }]
  })

/** A plan that only refreshes plans nothing, not even for what is there and stays as it is. */
const guessMode = ({ changes, unchanged, drift, hasManaged }: TofuDocument): TofuMode =>
  changes.length + unchanged === 0 && (hasManaged || drift.length > 0) ? 'refresh-only' : 'normal'

/** The JSON form of a plan, as `show -json` writes it. Throws USAGE for a major version that is not known. */
export const buildPlanPage = (
  document: TofuDocument,
  { schemas, rules, mode = guessMode(document) }: PlanOptions,
): TofuPlanPage => {
  const plan = document.members
  const diffing = { plan, schemas, rules }
  const { newer } = checkVersion(plan, 'the plan', { major: 1, minor: 2 })
  const changes: TofuResource[] = []
  let hides = false
  for (const head of headsOf(document.changes)) {
    if (isShown(head)) changes.push(withDiff(diffing, head, everywhere))
    else hides ||= head.action !== 'no-op'
  }
  const outputs = plan.get('output_changes')
  const outputNodes = sortedKeys(isMap(outputs) ? outputs.keys() : []).map(
    (name) => [name, diffJson(sidesOfChange(memberOf(outputs, name), everywhere, rules))] as const,
  )
  // Drift is told only where it may have led to something; what is not shown of the changes are deletes and no-ops.
  const acts =
    changes.some(({ node, previousAddress }) => node.action !== 'no-op' || previousAddress !== undefined) ||
    hides ||
    outputNodes.some(([, { action }]) => action !== 'no-op')
  return {
    kind: 'plan',
    mode,
    errored: plan.get('errored') === true,
    newer,
    drift: acts || mode === 'refresh-only' ? driftOf(document, mode, diffing) : [],
    changes,
    outputs: outputNodes,
    deferred: rules.knowsActions ? deferredOf(diffing) : [],
    invocations: rules.knowsActions ? readInvocations(plan) : [],
  }
}
