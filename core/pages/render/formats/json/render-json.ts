import type { Command, PlannedRequest } from '../../../../engine/schema/command.ts'
import { isArray, isObject, type Json } from '../../../../engine/schema/json.ts'
import type { Change, Drift, Plan } from '../../../../engine/schema/stored/plan.ts'
import { isConcat, isSealed, isSecret } from '../../../../engine/schema/value.ts'
import { moduleSteps, parseAddress } from '../../../../engine/values/addresses/address.ts'
import { defined } from '../../../../engine/values/defined.ts'
import { mapMembers, withoutMembers } from '../../../../engine/values/members.ts'
import type { RenderOptions } from '../../report/report.ts'
import { sideOf } from '../../rows/sides-of-diff.ts'
import { hiding, plainValue, sensitiveMarks, unknownMarks } from './opentofu-value.ts'

/** Of OpenTofu's plan format: https://opentofu.org/docs/internals/json-format/ */
const formatVersion = '1.2'

/**
 * A plan that readers of OpenTofu's plan JSON take, with all of ours under `plumbline`. No sensitive value and no digest
 * of one stands in it. A blocked change keeps its actions, so that a policy sees it; `plumbline.blocked` names it.
 */
export const renderJson = (plan: Plan, options: RenderOptions = {}): string =>
  `${JSON.stringify({
    format_version: formatVersion,
    ...defined({ timestamp: options.at }),
    resource_changes: plan.changes.map(resourceChange),
    resource_drift: plan.drift.map(resourceDrift),
    // Readers leave out a drift that nothing names; ours is always part of the finding.
    relevant_attributes: plan.drift.map(({ address }) => ({ resource: address, attribute: [] })),
    applyable: plan.view === undefined && plan.refused === undefined && plan.commands.length > 0,
    complete: plan.complete,
    errored: false,
    plumbline: ownPart(plan, options),
  })}\n`

const actionsOf = ({ action, replaceOrder }: Change): readonly string[] => {
  if (action !== 'replace') return [action]
  return replaceOrder === 'createFirst' ? ['create', 'delete'] : ['delete', 'create']
}

const sides = (before: Json, after: Json) => {
  // Which secrets are equal is told within one object, and not from one to another.
  const hide = hiding()
  return {
    before: plainValue(before, hide) ?? null,
    after: plainValue(after, hide) ?? null,
    after_unknown: after === null ? {} : unknownMarks(after),
    before_sensitive: before === null ? false : sensitiveMarks(before),
    after_sensitive: after === null ? false : sensitiveMarks(after),
  }
}

const resourceChange = (change: Change) => ({
  address: change.address,
  ...defined({
    previous_address: change.previousAddress,
    module_address: change.module,
  }),
  mode: 'managed',
  type: change.type,
  name: change.name,
  ...indexOf(change.address),
  provider_name: change.provider,
  change: {
    actions: actionsOf(change),
    ...sides(change.before, change.after),
    ...defined({ replace_paths: change.replacePaths.length === 0 ? undefined : change.replacePaths }),
  },
  ...defined({ action_reason: change.reason }),
})

/** The key of an instance. */
const indexOf = (address: string) => defined({ index: parseAddress(address)?.key })

const resourceDrift = ({ address, type, name, kind, diff }: Drift) => ({
  address,
  ...defined({ module_address: moduleSteps(address).join('.') || undefined }),
  mode: 'managed',
  type,
  name,
  ...indexOf(address),
  provider_name: type.split('_')[0] ?? type,
  change: {
    actions: [kind === 'deleted' ? 'delete' : 'update'],
    ...sides(sideOf(diff, 'before') ?? null, kind === 'deleted' ? null : (sideOf(diff, 'after') ?? null)),
  },
})

const ownPart = (plan: Plan, { folder }: RenderOptions) => ({
  formatVersion: plan.formatVersion,
  workspace: plan.workspace,
  ...defined({
    // Places in files are from there.
    folder: folder === '' ? undefined : folder,
    undoes: plan.undoes,
    view: plan.view,
    targets: plan.targets,
    exclude: plan.exclude,
    leftOut: plan.leftOut,
  }),
  inSync: plan.inSync,
  complete: plan.complete,
  digests: plan.view === 'unkept' ? withoutMembers({ ...plan.digests }, ['commands']) : plan.digests,
  counts: plan.counts,
  causes: Object.fromEntries(plan.changes.map((change) => [change.address, change.causes])),
  blocked: plan.changes.flatMap(({ address, blocked }) => (blocked === undefined ? [] : [{ address, ...blocked }])),
  unchecked: plan.unchecked,
  unobserved: plan.unobserved,
  unmanaged: plan.unmanaged.map((row) => ({ ...row, identity: withoutDigests(row.identity) })),
  ...defined({ notLookedInto: plan.notLookedInto }),
  ignored: plan.ignored,
  ...defined({
    moved: plan.moved,
    orphans: plan.orphans,
    references: plan.references,
    idleRules: plan.idleRules,
    idleEntries: plan.idleEntries,
    notes: plan.notes,
    refused: plan.refused,
  }),
  commands: plan.commands.map(ownCommand),
})

const ownCommand = (command: Command) => ({
  ...command,
  request: ownRequest(command.request),
  ...defined({ inverse: command.inverse && ownRequest(command.inverse) }),
})

const ownRequest = ({ body, auth, ...request }: PlannedRequest) => ({
  ...request,
  ...defined({
    body: body === undefined ? undefined : withoutDigests(body),
    auth: auth && withoutDigests(auth as unknown as Json),
  }),
})

/** Secrets keep their source, so that a reader knows what is sent; the keyed digests of their values are dropped. */
const withoutDigests = (value: Json): Json => {
  if (isSecret(value)) return { $secret: value.$secret }
  if (isSealed(value)) return { $sealed: '(sensitive)' }
  if (isConcat(value)) {
    const { digest: _, ...rest } = value
    return { ...rest, $concat: value.$concat.map(withoutDigests) }
  }
  if (isArray(value)) return value.map(withoutDigests)
  if (!isObject(value)) return value
  return mapMembers(value, withoutDigests)
}
