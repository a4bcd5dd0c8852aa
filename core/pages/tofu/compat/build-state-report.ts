import { inferBlock } from '../read/infer-block.ts'
import { resourcesOf, type TofuDocument } from '../read/load-document.ts'
import { readStateObject } from '../read/read-resource.ts'
import { readType, type Schemas } from '../read/schemas.ts'
import type { UnreadEntry } from '../read/shapes.ts'
import { elementsOf, keysOf, memberOf, type Value } from '../read/value.ts'
import { resourceAddress, whyUnread } from '../read/why-unread.ts'
import { diffBlock } from './diff-block.ts'
import { diffTyped } from './diff-typed.ts'
import type { TofuMembers, TofuStateModule, TofuStateReport, TofuStateResource } from './report.ts'
import { type DifferRules, rulesFor } from './rules.ts'
import { type Sides, sidesOf } from './side-by-side.ts'

interface StateBuilding {
  readonly schemas: Schemas
  readonly rules: DifferRules
  readonly unread: UnreadEntry[]
}

/** A state has no changes: every object is shown as unchanged. */
const standing = (value: Value | undefined, sensitive: Value | undefined, rules: DifferRules): Sides =>
  sidesOf({
    before: value ?? null,
    after: value ?? null,
    beforeSensitive: sensitive ?? null,
    afterSensitive: sensitive ?? null,
    rules,
  })

const readResources = (entry: Value, { schemas, rules, unread }: StateBuilding): TofuStateResource[] => {
  const detail = whyUnread(entry)
  if (detail !== undefined) unread.push({ address: resourceAddress(entry), detail })
  const head = detail === undefined ? readStateObject(entry) : undefined
  if (head === undefined) return []
  const { provider: _, values, sensitive, ...named } = head
  const known = schemas(head)
  const sides = standing(values, sensitive, rulesFor(rules, known))
  const facts =
    known ?? inferBlock({ values: [sides.before], markers: [sides.beforeSensitive], expressions: undefined })
  return [{ ...named, node: diffBlock(sides, facts) }]
}

const readModule = (module: Value | undefined, options: StateBuilding): TofuStateModule => {
  const resources: TofuStateResource[] = []
  for (const entry of resourcesOf(module)) resources.push(...readResources(entry, options))
  const children = elementsOf(memberOf(module, 'child_modules')).map((child) => readModule(child, options))
  return { resources, children }
}

const readOutputs = (outputs: Value | undefined, rules: DifferRules): TofuMembers =>
  keysOf([outputs]).map((name) => {
    const output = memberOf(outputs, name)
    const type = readType(memberOf(output, 'type'))
    return [name, diffTyped(standing(memberOf(output, 'value'), memberOf(output, 'sensitive'), rules), type)] as const
  })

/** The JSON form of a state, as `show -json` writes it. */
export const buildStateReport = (
  { members: state, newer }: TofuDocument,
  options: Omit<StateBuilding, 'unread'>,
): TofuStateReport => {
  const values = state.get('values')
  const module = memberOf(values, 'root_module')
  const unread: UnreadEntry[] = []
  const root = readModule(module, { ...options, unread })
  const outputs = readOutputs(memberOf(values, 'outputs'), options.rules)
  return {
    kind: 'state',
    newer,
    empty: outputs.length === 0 && root.resources.length === 0 && root.children.length === 0 && unread.length === 0,
    root,
    outputs,
    unread,
  }
}
