import { readConfiguration } from '../read/configuration.ts'
import { entriesOf, type TofuDocument } from '../read/load-document.ts'
import { guessMode, type ResourceHead, readResource } from '../read/read-resource.ts'
import { noSchemas, type TofuContext } from '../read/schemas.ts'
import type { TofuMode, UnreadEntry } from '../read/shapes.ts'
import { elementsOf, keysOf, memberOf, textOf, type Value, type ValueMap } from '../read/value.ts'
import { orProblem, resourceAddress, whyUnread } from '../read/why-unread.ts'
import { buildStateReport } from './build-state-report.ts'
import { diffJson } from './diff-json.ts'
import { type Diffing, diffInvocations, diffResource, sidesOfChange } from './diff-resource.ts'
import type { TofuCompat, TofuDeferred, TofuPlanReport, TofuReport, TofuResource } from './report.ts'
import { differRules } from './rules.ts'
import { everywhere, leadsHere, type Paths } from './side-by-side.ts'

interface Building extends Diffing {
  readonly unread: UnreadEntry[]
}

/** A delete of a data source is never shown. */
const isShown = ({ action, mode, previousAddress, importing }: ResourceHead): boolean => {
  if (action === 'no-op') return previousAddress !== undefined || importing !== undefined
  return action !== 'delete' || mode === 'managed'
}

/** Entries one by one; an invalid one is reported, and all others are shown. */
function* headsOf(entries: Iterable<Value>, { unread }: Building): Generator<ResourceHead> {
  for (const entry of entries) {
    const detail = whyUnread(entry)
    const head = detail === undefined ? readResource(entry) : undefined
    if (detail !== undefined) unread.push({ address: resourceAddress(entry), detail })
    if (head !== undefined) yield head
  }
}

const diffOrTell = (head: ResourceHead, relevant: Paths, building: Building): TofuResource[] => {
  const found = orProblem(head.address, () => diffResource(head, relevant, building))
  if (!('problem' in found)) return [found]
  building.unread.push(found.problem)
  return []
}

/** The paths that something planned comes from, by resource. */
const relevantIn = (plan: ValueMap): ((address: string) => Paths) => {
  const paths = Map.groupBy(elementsOf(plan.get('relevant_attributes')), (entry) => {
    return textOf(memberOf(entry, 'resource')) ?? ''
  })
  return (address) => {
    const entries = [...(paths.get('') ?? []), ...((address !== '' && paths.get(address)) || [])]
    return { rest: entries.map((entry) => elementsOf(memberOf(entry, 'attribute'))), covering: true }
  }
}

const driftOf = ({ drift, members }: TofuDocument, mode: TofuMode, building: Building): TofuResource[] => {
  const relevantTo = mode === 'refresh-only' ? () => everywhere : relevantIn(members)
  const resources: TofuResource[] = []
  for (const head of headsOf(entriesOf(drift), building)) {
    const relevant = relevantTo(head.address)
    if (!leadsHere(relevant)) continue
    const found = diffOrTell(head, relevant, building)
    resources.push(...found.filter(({ node }) => mode === 'refresh-only' || node.action !== 'no-op'))
  }
  return resources
}

const deferredOf = (plan: ValueMap, building: Building): TofuDeferred[] =>
  elementsOf(plan.get('deferred_changes')).flatMap((entry) => {
    const reason = textOf(memberOf(entry, 'reason')) ?? ''
    const [head] = headsOf([memberOf(entry, 'resource_change') ?? null], building)
    const found = head === undefined ? [] : diffOrTell(head, everywhere, building)
    return found.map((resource) => ({ reason, resource }))
  })

/** What a plan or a state shows as a product sees it, OpenTofu where none is named. */
export const buildTofuReport = (
  document: TofuDocument,
  { schemas = noSchemas, mode, compat = 'opentofu' }: TofuContext & { readonly compat?: TofuCompat | undefined } = {},
): TofuReport => {
  const building = { schemas, rules: differRules[compat] }
  return document.kind === 'state' ? buildStateReport(document, building) : buildPlanReport(document, building, mode)
}

const buildPlanReport = (
  document: TofuDocument,
  { schemas, rules }: Pick<Building, 'schemas' | 'rules'>,
  given: TofuMode | undefined,
): TofuPlanReport => {
  const plan = document.members
  const unread: UnreadEntry[] = []
  const building = { schemas, expressions: readConfiguration(plan.get('configuration')), rules, unread }
  const changes: TofuResource[] = []
  let hides = false
  for (const head of headsOf(entriesOf(document.changes), building)) {
    if (isShown(head)) changes.push(...diffOrTell(head, everywhere, building))
    else hides ||= head.action !== 'no-op'
  }
  const mode = given ?? guessMode(document, changes)
  const outputs = plan.get('output_changes')
  const outputNodes = keysOf([outputs]).map(
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
    newer: document.newer,
    drift: acts || mode === 'refresh-only' ? driftOf(document, mode, building) : [],
    changes,
    outputs: outputNodes,
    deferred: rules.knowsActions ? deferredOf(plan, building) : [],
    invocations: rules.knowsActions ? diffInvocations(plan) : [],
    unread,
  }
}
