import type { Json, JsonObject } from '../../../schema/json.ts'
import { namesStatus } from '../../../transport/answer/absence.ts'
import type { Problem } from '../../provider.ts'
import type { RestDocument } from '../document/document.ts'
import { problem } from '../document/problem.ts'
import { variablesOf } from '../document/template.ts'
import { neededIn } from './given.ts'
import { checkReach } from './reach.ts'

/** What is said once for all resources of a document. */
export const checkSettings = ({ provider }: RestDocument): readonly Problem[] => {
  const given = Object.keys(provider.with ?? {})
  const texts: JsonObject = {
    baseUrl: provider.baseUrl,
    socket: provider.socket ?? null,
    auth: (provider.auth ?? null) as Json,
    tls: (provider.tls ?? null) as Json,
    params: provider.params ?? {},
  }
  const unknownWith = Object.entries(texts).flatMap(([key, text]) =>
    withVariables(text)
      .filter((name) => !given.includes(name))
      .map((name) => ({ key, name })),
  )
  const both = Object.keys(provider.reads.unknown).filter((status) =>
    namesStatus(provider.reads.absent, Number(status)),
  )
  return [
    ...unknownWith.map(({ key, name }) =>
      problem(['provider', key], `"{with.${name}}" is used and not declared`, `add ${name} under provider.with`),
    ),
    ...both.map((status) =>
      problem(
        ['provider', 'reads', 'unknown', status],
        `status ${status} is both absent and unknown`,
        'keep it in one of the two',
      ),
    ),
    ...withoutValue(texts),
    ...checkReach(provider),
  ]
}

/** What stands for the whole provider knows no object: only what a workspace gives. `template` has words of its own. */
const withoutValue = (texts: JsonObject): readonly Problem[] =>
  neededIn(texts, ['provider'])
    .filter(({ at, name }) => name[0] !== 'with' && at.at(-1) !== 'template')
    .map(({ at, name }) =>
      problem(
        at,
        `nothing gives {${name.join('.')}} a value here`,
        'use {with.<name>}: an object, and what is read of it, are not known yet; "{{" is a brace',
      ),
    )

const withVariables = (template: Json): readonly string[] =>
  variablesOf(template).flatMap(([first, second]) => (first === 'with' && second !== undefined ? [String(second)] : []))
