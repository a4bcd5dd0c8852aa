import type { PlannedResource } from '../../../plan/planning.ts'
import type { Listed } from '../../../provider/listing.ts'
import type { ResourceType } from '../../../provider/provider.ts'
import type { Json, JsonObject } from '../../../schema/json.ts'
import type { Address, DesiredResource, Ruled } from '../../../schema/resource.ts'
import { defined } from '../../../values/defined.ts'
import { pick } from '../../../values/members.ts'
import { ruled } from '../shared/words.ts'
import { coveredAddress } from './covered.ts'
import { fitsRule } from './fits.ts'

/** Gives the values of the rules of one type to the resources and objects that they are about. */
export const spreadRules = (
  rules: readonly DesiredResource[],
  type: ResourceType,
  complete: (shown: JsonObject) => JsonObject,
) => {
  const undecided = new Map<Address, Set<string>>()
  /** The values of the rules that fit; a later rule counts more. */
  const valuesFor = (shown: JsonObject, isListed: boolean) => {
    const values: Record<string, Json> = {}
    const by: Record<string, Address> = {}
    const fitting = rules.filter(({ address, forAll }) => {
      const fit = forAll === undefined ? { fits: false } : fitsRule(forAll, type.schema, complete(shown))
      if ('fits' in fit) return fit.fits
      if (isListed) undecided.set(address, new Set([...(undecided.get(address) ?? []), ...fit.unshown]))
      return false
    })
    for (const { address, attributes } of fitting) {
      Object.assign(values, attributes)
      for (const name of Object.keys(attributes)) by[name] = address
    }
    return { values, by, fitting }
  }
  const common = (fitting: readonly DesiredResource[], own?: DesiredResource) => ({
    dependsOn: [...new Set([...(own?.dependsOn ?? []), ...fitting.flatMap(({ dependsOn }) => dependsOn)])]
      .filter((each) => each !== own?.address)
      .sort(),
  })
  return {
    desired: (resource: DesiredResource, object: Listed | undefined): DesiredResource => {
      if (resource.absent) return resource
      const { values, by, fitting } = valuesFor({ ...resource.attributes, ...object?.shown }, object !== undefined)
      const more = Object.keys(values).filter((name) => !Object.hasOwn(resource.attributes, name))
      if (more.length === 0) return resource
      const refersBy = [...(resource.refersBy ?? []), ...more.filter((name) => refers(fitting, name))]
      return {
        ...resource,
        ...common(fitting, resource),
        ...defined({ refersBy: refersBy.length === 0 ? undefined : refersBy }),
        attributes: { ...pick(values, more), ...resource.attributes },
        ruled: { by: pick(by, more) as Ruled['by'] },
      }
    },
    covered: (object: Listed, provider: string, isShared: boolean): readonly DesiredResource[] => {
      const { values, by, fitting } = valuesFor({ ...object.identity, ...object.shown }, true)
      const last = fitting.at(-1)
      if (last === undefined) return []
      const keys = Object.values(object.identity).map((value) =>
        typeof value === 'string' ? value : JSON.stringify(value),
      )
      const refersBy = Object.keys(values).filter((name) => refers(fitting, name))
      const isRepaired = fitting.every(({ forAll }) => forAll?.repair)
      return [
        {
          address: coveredAddress(type.name, [...(isShared ? [provider] : []), ...keys].join('/')),
          type: type.name,
          name: 'all',
          provider,
          absent: false,
          attributes: { ...values, ...object.identity },
          ...common(fitting),
          ...defined({ refersBy: refersBy.length === 0 ? undefined : refersBy }),
          lifecycle: { orphan: 'forget', preventDestroy: true, onImmutable: 'report' },
          position: last.position,
          ruled: { by, alone: isRepaired ? 'repair' : 'check' },
        },
      ]
    },
    undecided: (): readonly PlannedResource[] =>
      [...undecided].map(([address, names]) => ({
        address,
        unobserved: [],
        ignored: [],
        unchecked: { address, reason: 'unresolved', detail: whyOf([...names], type) },
      })),
  }
}

const whyOf = (names: readonly string[], { schema }: ResourceType): string =>
  names.every((name) => Object.hasOwn(schema.attributes, name)) ? ruled.notShown(names) : ruled.notListed(names)

const refers = (fitting: readonly DesiredResource[], name: string): boolean =>
  fitting.findLast(({ attributes }) => Object.hasOwn(attributes, name))?.refersBy?.includes(name) ?? false
