import type { Command } from '../../../engine/schema/command.ts'
import { isArray, isObject, type Json, type Path } from '../../../engine/schema/json.ts'
import type { NamedReference } from '../../../engine/schema/stored/plan.ts'
import { urlWords } from '../../../engine/values/url.ts'
import { foreign, type Prose } from '../characters/prose.ts'
import { visible } from '../characters/visible.ts'

/** The most names for one attribute or one command. */
const shownNames = 5

/** Beside an attribute: what the id or URL in it is called in the configuration. */
export const nameNotes = (named: readonly NamedReference[], path: Path): readonly string[] => {
  const [attribute, ...inside] = path
  if (inside.length > 0) return []
  const own = named.filter((each) => each.path[0] === attribute)
  return own
    .slice(0, shownNames)
    .map(({ path: full, value, name }) =>
      full.length === 1 ? `(${visible(name)})` : `${visible(String(value))} (${visible(name)})`,
    )
}

const leavesOf = (value: Json): readonly string[] => {
  if (isArray(value)) return value.flatMap(leavesOf)
  return isObject(value) ? Object.values(value).flatMap(leavesOf) : [String(value)]
}

/** The texts and numbers of a request, each as a whole: half of an id is none. */
const partsOf = ({ url, body }: Command['request']): ReadonlySet<string> => {
  const steps = urlWords(url).split(/[/?&=#]/)
  return new Set([...steps, ...(body === undefined ? [] : leavesOf(body as Json))])
}

/** Behind a command: what the ids and URLs that it sends are called. */
export const commandNames = (command: Command, references: readonly NamedReference[]): Prose => {
  const own = references.filter(({ address }) => address === command.address)
  if (own.length === 0) return []
  const parts = partsOf(command.request)
  return own
    .filter(({ value }) => parts.has(String(value)) || parts.has(encodeURIComponent(value)))
    .slice(0, shownNames)
    .flatMap(({ value, name }): Prose => ['; ', foreign(String(value)), ' is ', foreign(name)])
}
