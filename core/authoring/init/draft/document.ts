import type { Json } from '../../../schema/json.ts'
import { defined } from '../../../values/defined.ts'
import type { Description } from '../../description/description.ts'
import { prefixOf } from '../find/names.ts'
import { guessPages } from '../find/pages.ts'
import { type Candidate, findResources, type LeftOut, wordsOfPath } from '../find/resources.ts'
import { draftProvider } from './provider.ts'
import { draftResource } from './resource.ts'
import { type Entry, openMap, writeYaml } from './yaml.ts'

export interface Wanted {
  /** Types, collections (`pets`) or paths; everything that looks like a resource where none is named. */
  readonly resources?: readonly string[]
  /** Where the description is, to be found again by a check. */
  readonly openapi?: string
  /** For the first line. */
  readonly origin: string
}

export interface DraftedDocument {
  readonly text: string
  readonly types: readonly { readonly type: string; readonly path: string }[]
  readonly leftOut: readonly LeftOut[]
  /** Of what was wanted: names that nothing has. */
  readonly unknown: readonly string[]
  /** Every type that could be asked for. */
  readonly known: readonly string[]
}

interface Named {
  readonly type: string
  readonly candidate: Candidate
}

/** A first provider document for a described API. The same description gives the same text. */
export const draftDocument = (description: Description, wanted: Wanted): DraftedDocument => {
  const found = findResources(description)
  const prefix = prefixOf(description.title)
  const named = nameAll(prefix, found.candidates)
  const names = wanted.resources ?? []
  const chosen = names.length === 0 ? named : named.filter((one) => names.some((name) => isMeant(one, name)))
  const pages = usualPages(chosen.map(({ candidate }) => candidate))
  const drafted = chosen.map((one) => ({ ...one, drafted: draftResource(one.type, one.candidate, pages.pagination) }))
  const resources = drafted.flatMap(({ drafted: one }): Entry[] => (one.ok ? [one.entry] : []))
  const failed = drafted.flatMap(({ candidate, drafted: one }): LeftOut[] =>
    one.ok ? [] : [{ path: candidate.path, reason: one.reason }],
  )
  const provider = draftProvider(description, {
    id: prefix,
    pagination: pages.pagination,
    pageComments: pages.comments,
    ...defined({ openapi: wanted.openapi }),
  })
  return {
    text: writeYaml([provider, { key: 'resources', node: openMap(resources) }], header(wanted.origin)),
    types: drafted.filter((one) => one.drafted.ok).map(({ type, candidate }) => ({ type, path: candidate.path })),
    leftOut: [
      ...(names.length === 0
        ? found.leftOut
        : found.leftOut.filter(({ path }) => names.some((name) => isMeantPath(path, name)))),
      ...failed,
    ],
    known: named.map(({ type }) => type),
    unknown: names.filter(
      (name) => !named.some((one) => isMeant(one, name)) && !found.leftOut.some(({ path }) => isMeantPath(path, name)),
    ),
  }
}

const header = (origin: string): readonly string[] => [
  `A first document, made by \`plumbline provider init\` from ${origin}.`,
  'A line with "decide:" asks for a person who knows the API. docs/provider-reference.md explains every key.',
]

const isMeantPath = (path: string, name: string): boolean =>
  path === name ||
  path.replace(/\/$/, '') === name ||
  path.split('/').findLast((segment) => segment !== '' && !segment.includes('{')) === name

const isMeant = ({ type, candidate }: Named, name: string): boolean =>
  type === name || candidate.words.join('_') === name || isMeantPath(candidate.path, name)

/** A type for each: the prefix and the words of its path, with those of the paths around it where two are alike. */
const nameAll = (prefix: string, candidates: readonly Candidate[]): readonly Named[] => {
  const taken = new Set<string>()
  return candidates.map((candidate) => {
    const around = ancestors(candidate.path)
    const choices = around.map((_, index) =>
      [
        prefix,
        ...around
          .slice(0, index + 1)
          .toReversed()
          .flat(),
      ].join('_'),
    )
    const free = choices.find((choice) => !taken.has(choice)) ?? numbered(choices.at(-1) ?? `${prefix}_object`, taken)
    taken.add(free)
    return { type: free, candidate }
  })
}

const numbered = (name: string, taken: ReadonlySet<string>): string => {
  let count = 2
  while (taken.has(`${name}_${count}`)) count += 1
  return taken.has(name) ? `${name}_${count}` : name
}

/** The words of a path's parts, the last first; each choice of a name takes one more of them. */
const ancestors = (path: string): readonly (readonly string[])[] => {
  const segments = path.split('/').filter((segment) => segment !== '' && !segment.includes('{'))
  const words = segments
    .toReversed()
    .map((segment) => wordsOfPath(`/${segment}`))
    .filter((some) => some.length > 0)
  return words.length === 0 ? [['object']] : words
}

interface Usual {
  readonly pagination: Json
  readonly comments: readonly string[]
}

/** How most of the lists come; the first of several that are as many. */
const usualPages = (candidates: readonly Candidate[]): Usual => {
  const all = candidates.flatMap(({ list }) => (list === undefined ? [] : [guessPages(list.operation)]))
  const counts = new Map<string, { readonly pages: Usual; readonly count: number }>()
  for (const pages of all) {
    const key = JSON.stringify(pages.pagination)
    counts.set(key, { pages: counts.get(key)?.pages ?? pages, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  const [most] = [...counts.values()].toSorted((left, right) => right.count - left.count)
  return most?.pages ?? { pagination: { style: 'none' }, comments: [] }
}
