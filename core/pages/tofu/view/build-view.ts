import { readConfiguration } from '../read/configuration.ts'
import { entriesOf, type TofuDocument } from '../read/load-document.ts'
import { guessMode } from '../read/read-resource.ts'
import { noSchemas, type Schemas, type TofuContext } from '../read/schemas.ts'
import type { TofuMode, UnreadEntry } from '../read/shapes.ts'
import { elementsOf, memberOf, textOf, type Value } from '../read/value.ts'
import { buildStateView } from './build-state-view.ts'
import { type ChangeSides, findTwins } from './find-twins.ts'
import { readRelevance } from './paths.ts'
import type { PlanView, View, ViewChange } from './plan-view.ts'
import { readActions } from './read-actions.ts'
import { type ReadChange, type Reading, readChange } from './read-change.ts'
import { readChecks, readOutputChanges } from './read-results.ts'
import { sealing } from './to-json.ts'

/** A plan or a state as our own reports show it, from the JSON form that `show -json` writes. */
export const buildView = (document: TofuDocument, { schemas = noSchemas, mode }: TofuContext = {}): View =>
  document.kind === 'state' ? buildStateView(document, schemas) : buildPlanView(document, schemas, mode)

const buildPlanView = (document: TofuDocument, schemas: Schemas, mode?: TofuMode): PlanView => {
  const plan = document.members
  const seal = sealing()
  const reading: Reading = { schemas, seal, expressions: readConfiguration(plan.get('configuration')) }
  const problems: UnreadEntry[] = []
  const read = (entry: Value): ReadChange => {
    const found = readChange(entry, reading)
    if (found.problem !== undefined) problems.push(found.problem)
    return found
  }
  const candidates: ChangeSides[] = []
  for (const entry of entriesOf(document.changes)) {
    const { change, sides } = read(entry)
    if (change !== undefined) candidates.push({ change, before: sides?.before, after: sides?.after })
  }
  const changes = withTwins(candidates)
  const planMode = mode ?? guessMode(document, changes)
  const drift = splitDrift(document, planMode, read)
  const deferred = elementsOf(plan.get('deferred_changes')).flatMap((entry) => {
    const reason = textOf(memberOf(entry, 'reason')) ?? 'unknown'
    return changeOf(read(memberOf(entry, 'resource_change') ?? null)).map((change) => ({ reason, change }))
  })
  const configured = memberOf(memberOf(plan.get('configuration'), 'root_module'), 'outputs')
  const outputs = readOutputChanges(plan.get('output_changes'), configured, seal)
  const actions = readActions(plan, seal)
  const invocations = actions.flatMap(({ action }) => action ?? [])
  return {
    kind: 'plan',
    mode: planMode,
    errored: plan.get('errored') === true,
    complete: plan.get('complete') !== false,
    newer: document.newer,
    unknownMembers: document.unknownMembers,
    changes,
    unchanged: document.unchanged,
    ...drift,
    deferred,
    outputs: outputs.flatMap(({ output }) => output ?? []),
    ...(invocations.length === 0 ? {} : { invocations }),
    checks: readChecks(plan.get('checks')),
    problems: [...problems, ...[...outputs, ...actions].flatMap(({ problem }) => problem ?? [])],
  }
}

const withTwins = (candidates: readonly ChangeSides[]): readonly ViewChange[] => {
  const twins = findTwins(candidates)
  return candidates.map(({ change }) => {
    const twin = twins.get(change)
    return twin === undefined ? change : { ...change, twin }
  })
}

const changeOf = ({ change }: ReadChange): readonly ViewChange[] => (change === undefined ? [] : [change])

const splitDrift = (
  { drift: entries, members }: TofuDocument,
  mode: TofuMode,
  read: (entry: Value) => ReadChange,
): Pick<PlanView, 'drift' | 'otherDrift'> => {
  const isRelevant = readRelevance(members)
  const drift: ViewChange[] = []
  let otherDrift = 0
  for (const entry of entriesOf(entries)) {
    const { change, sides } = read(entry)
    if (change === undefined) continue
    const isStill = change.diff.action === 'same'
    if (isStill && (mode !== 'refresh-only' || change.previousAddress === undefined)) continue
    if (mode === 'refresh-only' || isRelevant(change.address, sides?.before, sides?.after)) drift.push(change)
    else otherDrift += 1
  }
  return { drift, otherDrift }
}
