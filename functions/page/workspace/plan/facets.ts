import type { Command, Plan } from '../../../../core/index.ts'

/** What a reader filters by. */
export interface Facets {
  readonly action: string
  readonly type: string
  readonly causes: readonly string[]
  readonly grades: readonly string[]
}

export const facetNames = ['action', 'cause', 'grade', 'type'] as const
export type FacetName = (typeof facetNames)[number]

const gradesOf = (commands: readonly Command[]): readonly string[] => [...new Set(commands.map(({ grade }) => grade))]

/** By address; of what drifted without a change, the action is `drift`. */
export const facetsOf = (plan: Plan): ReadonlyMap<string, Facets> => {
  const commands = Map.groupBy(plan.commands, ({ address }) => address)
  const drifted = plan.drift.map(({ address, type }): readonly [string, Facets] => [
    address,
    { action: 'drift', type, causes: ['drift'], grades: [] },
  ])
  const changed = plan.changes.map(({ address, type, action, causes }): readonly [string, Facets] => [
    address,
    {
      action,
      type,
      causes: [...new Set(causes.map(({ cause }) => cause))],
      grades: gradesOf(commands.get(address) ?? []),
    },
  ])
  // A change of what drifted is shown as a change.
  return new Map([...drifted, ...changed])
}

const valuesOf = (facets: Facets, name: FacetName): readonly string[] => {
  if (name === 'cause') return facets.causes
  if (name === 'grade') return facets.grades
  return [facets[name]]
}

/** By facet the values that occur, with the number of resources; only facets with a choice. */
export const choicesOf = (all: readonly Facets[]): ReadonlyMap<FacetName, ReadonlyMap<string, number>> => {
  const choices = facetNames.map((name) => {
    const counts = new Map<string, number>()
    for (const facets of all)
      for (const value of valuesOf(facets, name)) counts.set(value, (counts.get(value) ?? 0) + 1)
    return [name, counts] as const
  })
  return new Map(choices.filter(([, counts]) => counts.size > 1))
}

export type ChosenFacets = Readonly<Partial<Record<FacetName, string>>>

export const isChosen = (facets: Facets | undefined, chosen: ChosenFacets): boolean =>
  facetNames.every((name) => {
    const value = chosen[name]
    return value === undefined || (facets !== undefined && valuesOf(facets, name).includes(value))
  })
