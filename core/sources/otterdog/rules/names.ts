import { pathText } from '../../../engine/json/pointer.ts'
import type { Path } from '../../../engine/schema/json.ts'
import type { Organisation } from '../shape/organisation.ts'
import { teamSlug } from '../values/team-slug.ts'
import { about, type Finding, when } from './rule.ts'
import { say } from './words.ts'

const organisation = about('organisation')
const environment = about('environment')
const repository = about('repository')

/** Lists whose elements are found by a name, and what of it GitHub compares. */
const lower = (name: string): string => name.toLowerCase()
const exact = (name: string): string => name

const formerNames = (element: object): readonly string[] =>
  (element as { readonly aliases?: readonly string[] }).aliases ?? []

/** The second one of two elements with one name, and former names that are still used. */
const repeated = <Element extends object>(
  list: readonly Element[] | undefined,
  path: Path,
  key: keyof Element & string,
  compared: (name: string) => string,
): readonly Finding[] => {
  const seen = new Map<string, Path>()
  const names = (list ?? []).flatMap((element, index) => {
    const name = String(element[key])
    const at = [...path, index, key]
    const first = seen.get(compared(name))
    if (first === undefined) seen.set(compared(name), at)
    return when(first !== undefined, at, say('DUP-1', name, pathText((first ?? []).slice(0, -1))))
  })
  const aliases = (list ?? []).flatMap((element, index) =>
    formerNames(element).flatMap((name, position) => {
      const at = [...path, index, 'aliases', position]
      const first = seen.get(compared(name))
      if (first === undefined) seen.set(compared(name), [...at, ''])
      return when(first !== undefined, at, say('DUP-2', name, pathText((first ?? []).slice(0, -1))))
    }),
  )
  return [...names, ...aliases]
}

const inOrganisation = (organisation: Organisation): readonly Finding[] => [
  ...repeated(organisation.settings.custom_properties, ['settings', 'custom_properties'], 'name', lower),
  ...repeated(organisation.roles, ['roles'], 'name', lower),
  ...repeated(organisation.teams, ['teams'], 'name', teamSlug),
  ...repeated(organisation.webhooks, ['webhooks'], 'url', exact),
  ...repeated(organisation.secrets, ['secrets'], 'name', lower),
  ...repeated(organisation.variables, ['variables'], 'name', lower),
  ...repeated(organisation.rulesets, ['rulesets'], 'name', exact),
  ...repeated(organisation.repositories, ['repositories'], 'name', lower),
]

/** Two elements with one name would be one object. */
export const nameRules = [
  organisation.each('error', 'DUP-1', inOrganisation),
  repository.each('error', 'DUP-1', (repository) => [
    ...repeated(repository.webhooks, ['webhooks'], 'url', exact),
    ...repeated(repository.secrets, ['secrets'], 'name', lower),
    ...repeated(repository.variables, ['variables'], 'name', lower),
    ...repeated(repository.environments, ['environments'], 'name', lower),
    ...repeated(repository.branch_protection_rules, ['branch_protection_rules'], 'pattern', exact),
    ...repeated(repository.rulesets, ['rulesets'], 'name', exact),
  ]),
  environment.each('error', 'DUP-1', (environment) => [
    ...repeated(environment.secrets, ['secrets'], 'name', lower),
    ...repeated(environment.variables, ['variables'], 'name', lower),
  ]),
]
