import { defined } from '../../../../engine/values/defined.ts'
import type { Description } from '../../description/description.ts'
import { withoutSlash } from '../../description/find-operation.ts'
import { containersOf } from '../find/containers.ts'
import { numbered, prefixOf } from '../find/names.ts'
import { guessPages, type Pages } from '../find/pages.ts'
import { resourceParts } from '../find/resource-parts.ts'
import { type Candidate, findResources, type LeftOut, segmentsOf, wordsOfPath } from '../find/resources.ts'
import { header } from '../words.ts'
import { draftProvider } from './provider.ts'
import { draftResource } from './resource.ts'
import { openMap, writeYaml } from './yaml.ts'

export interface Wanted {
  /** Types, collections (`pets`) or paths; when absent, everything that looks like a resource. */
  readonly resources?: readonly string[]
  /** The place of the description, as a check finds it again. */
  readonly openapi?: string
  readonly origin: string
}

export interface DraftedDocument {
  readonly text: string
  readonly types: readonly { readonly type: string; readonly path: string }[]
  readonly leftOut: readonly LeftOut[]
  readonly unknown: readonly string[]
  readonly known: readonly string[]
}

interface NamedCandidate {
  readonly type: string
  readonly candidate: Candidate
}

/** The same description gives the same text. */
export const draftDocument = (description: Description, wanted: Wanted): DraftedDocument => {
  const found = findResources(description)
  const prefix = prefixOf(description.title)
  const named = nameAll(prefix, found.candidates)
  const { resources: names = [], openapi } = wanted
  const isWanted = (isMeant: (name: string) => boolean): boolean => names.length === 0 || names.some(isMeant)
  const chosen = named.filter((one) => isWanted((name) => isType(one, name)))
  const pages = usualPages(chosen.map(({ candidate }) => candidate))
  const read = chosen.map(({ type, candidate }) => ({ type, path: candidate.path, parts: resourceParts(candidate) }))
  const all = read.flatMap(({ type, parts }) => ('reason' in parts ? [] : [{ type, parts }]))
  const resources = all.map(({ type, parts }) => draftResource(type, parts, pages.pagination, containersOf(parts, all)))
  const provider = draftProvider(description, { id: prefix, pages, ...defined({ openapi }) })
  return {
    text: writeYaml([provider, { key: 'resources', node: openMap(...resources) }], header(wanted.origin)),
    types: all.map(({ type, parts }) => ({ type, path: parts.candidate.path })),
    leftOut: [
      ...found.leftOut.filter(({ path }) => isWanted((name) => isPath(path, name))),
      ...read.flatMap(({ path, parts }) => ('reason' in parts ? [{ path, reason: parts.reason }] : [])),
    ],
    known: named.map(({ type }) => type),
    unknown: names.filter(
      (name) => !named.some((one) => isType(one, name)) && !found.leftOut.some(({ path }) => isPath(path, name)),
    ),
  }
}

const isPath = (path: string, name: string): boolean =>
  path === name || withoutSlash(path) === name || constantsOf(path).at(-1) === name

const isType = ({ type, candidate: { words, path } }: NamedCandidate, name: string): boolean =>
  type === name || words.join('_') === name || isPath(path, name)

const constantsOf = (path: string): readonly string[] =>
  segmentsOf(path).filter((segment) => segment !== '' && !segment.includes('{'))

/** Names a type by the prefix and the words of its path; two equal names get the words of the path before. */
const nameAll = (prefix: string, candidates: readonly Candidate[]): readonly NamedCandidate[] => {
  const taken = new Set<string>()
  return candidates.map((candidate) => {
    const words = constantsOf(candidate.path)
      .map((segment) => wordsOfPath(`/${segment}`))
      .filter((some) => some.length > 0)
    const parts = words.length === 0 ? [['object']] : words
    const choices = parts.map((_, index) => [prefix, ...parts.slice(-1 - index).flat()].join('_'))
    const type = choices.find((choice) => !taken.has(choice)) ?? numbered(choices.at(-1) ?? prefix, taken)
    taken.add(type)
    return { type, candidate }
  })
}

const usualPages = (candidates: readonly Candidate[]): Pages => {
  const all = candidates.flatMap(({ list }) => (list === undefined ? [] : [guessPages(list.operation)]))
  const untold = all.find(({ pagination }) => pagination === undefined)
  if (untold !== undefined) return { comments: [] }
  const groups = [...Map.groupBy(all, ({ pagination }) => JSON.stringify(pagination)).values()]
  const [most] = groups.toSorted((left, right) => right.length - left.length)
  return most?.[0] ?? { pagination: { style: 'none' }, comments: [] }
}
