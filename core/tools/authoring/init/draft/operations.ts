import type { Json } from '../../../../engine/schema/json.ts'
import { present } from '../../../../engine/values/defined.ts'
import { mayBeLeftOut, schemaAt } from '../../description/look-into.ts'
import { attributeName, placeText } from '../find/names.ts'
import { guessPages, totalPlace } from '../find/pages.ts'
import type { ResourceParts } from '../find/resource-parts.ts'
import { answered, type Endpoint, isForm } from '../find/resources.ts'
import { questions } from '../words.ts'
import { type Entry, entry, map, openMap } from './yaml.ts'

const names = ['list', 'retrieve', 'create', 'update', 'delete'] as const
/** Settings are never created and never deleted. */
const namesOfSettings = ['retrieve', 'update'] as const

/** `pagination` is the default of the provider; only lists that differ from it get their own. */
export const draftOperations = (
  parts: ResourceParts,
  produces: Json | undefined,
  pagination: Json | undefined,
): Entry => {
  const { candidate, schemas, keys } = parts
  const entries = (keys.length === 0 ? namesOfSettings : names).flatMap((name): Entry[] => {
    const endpoint = candidate[name]
    if (endpoint === undefined) return []
    const { operation } = endpoint
    const isWrite = name === 'create' || name === 'update'
    const more =
      name === 'list' ? listEntries(endpoint, schemas.items ?? [], pagination) : { entries: [], comments: [] }
    const success = operation.answers.flatMap(({ status }) => (/^2\d\d$/.test(status) ? [Number(status)] : []))
    const answer = (name === 'retrieve' ? schemas.answers[name] : undefined) ?? []
    const isPosted = name === 'list' && operation.method === 'POST'
    const body = isWrite ? bodyEntries(operation.body?.mediaType ?? 'application/json', schemas.bodies[name] ?? []) : []
    const node = map(
      entry('method', operation.method),
      isPosted && entry('effect', 'read'),
      entry('path', pathOf(endpoint.path, parts)),
      isPosted && operation.body !== undefined && entry('body', {}),
      ...body,
      success.length > 0 && entry('success', success),
      answer.length > 0 && entry('answer', placeText(answer)),
      name === 'create' && entry('produces', produces),
      ...more.entries,
    )
    const comments = [
      ...requiredQuery(endpoint).map(questions.queryRequired),
      ...present(isWrite && success.includes(202) && questions.accepted),
      ...more.comments,
    ]
    return [{ key: name, comments, node }]
  })
  return { key: 'operations', node: openMap(...entries) }
}

const pathOf = (path: string, { variables }: ResourceParts): string =>
  path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `{${variables.get(name) ?? attributeName(name)}}`)

const bodyEntries = (mediaType: string, around: readonly string[]): readonly Entry[] => {
  const body = around.reduceRight<Json>((inner, member) => ({ [member]: inner }), '{fields}')
  const isUsual = /^application\/(json|\*)|^\*\/\*|^text\/json/.test(mediaType)
  return present(
    isForm(mediaType) && entry('contentType', 'application/x-www-form-urlencoded'),
    !isUsual && !isForm(mediaType) && entry('headers', { 'Content-Type': mediaType }),
    around.length > 0 && entry('body', body),
  )
}

/** Writes the pagination of a list if it differs from the provider's, and the response for an empty list. */
const listEntries = (
  endpoint: Endpoint,
  items: readonly string[],
  usual: Json | undefined,
): { readonly entries: readonly Entry[]; readonly comments: readonly string[] } => {
  const { pagination, comments } = guessPages(endpoint.operation)
  const differs = JSON.stringify(pagination) !== JSON.stringify(usual)
  const answer = answered(endpoint)
  const member = items.at(-1)
  const isLeftOut = member !== undefined && mayBeLeftOut(schemaAt(answer, items.slice(0, -1)), member)
  const total = isLeftOut ? totalPlace(answer) : undefined
  return {
    entries: present(
      differs && entry('pagination', pagination),
      entry('emptyWhen', total === undefined ? undefined : [{ place: total, is: [0] }]),
    ),
    comments: present(
      ...(differs || pagination === undefined ? comments : []),
      isLeftOut && total === undefined && questions.empty(member),
    ),
  }
}

const requiredQuery = ({ operation }: Endpoint): readonly string[] =>
  operation.parameters.flatMap(({ in: place, required, schema, name }) =>
    place === 'query' && required && schema.default === undefined ? [name] : [],
  )
