import { readJson } from '../../json/read-json.ts'
import {
  addMember,
  exactNumber,
  type Located,
  locatedList,
  locatedMap,
  locatedScalar,
  type Member,
  maxDepth,
  type Parsed,
  type Walk,
  wellFormedText,
} from './located.ts'
import { say } from './words.ts'

/** With `comments`, comments and a trailing comma are allowed. */
export const parseJson = (
  text: string,
  { comments = false, areDoubles = false }: { readonly comments?: boolean; readonly areDoubles?: boolean },
  lineOf: (offset: number) => number,
): Parsed => {
  const walk: Walk = { mistakes: [], lineOf, areDoubles }
  const read = readJson<Located>(
    text,
    {
      scalar: (value, at) => (typeof value === 'string' ? wellFormedText(value, at, walk) : locatedScalar(value, at)),
      number: (source, at) => exactNumber(source, Number(source), at, walk),
      list: locatedList,
      object: (found, at) => {
        const members = new Map<string, Member>()
        for (const { key, keyAt, value: node } of found) addMember(members, key, { node, keyAt }, walk)
        return locatedMap(members, at)
      },
    },
    { maxDepth, comments },
  )
  if ('value' in read) return { root: read.value, mistakes: walk.mistakes }
  const invalid = read.mistakes.map(({ at, kind }) => ({
    at,
    ...(kind === 'TooDeep' ? say('nesting', maxDepth) : say('invalidJson', kind)),
  }))
  return { mistakes: [...invalid, ...walk.mistakes] }
}
