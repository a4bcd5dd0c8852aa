import * as z from 'zod'
import { described, json, optional } from '../../../../engine/schema/described.ts'
import type { MessageAndFix } from '../../../../engine/values/diagnose.ts'

/**
 * The words that the shapes of a provider document are made of. The meaning of each key is described only at its shape:
 * docs/provider-reference.md and the schema for editors are made from it. A shape with an `id` is a chapter there.
 */

export const status = z.number().int().min(100).max(599).meta({ id: 'status', description: 'An HTTP status.' })
export const statusKey = z.string().regex(/^[1-5]\d\d$/, 'a status such as 418')
export const mediaType = z
  .string()
  .regex(/^(json|none|any|[a-z0-9.+-]+\/[a-z0-9.+-]+)$/, 'json, none, any or a media type')
export const headerName = z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, 'a name of a header')
export const count = z.number().int().positive()
export const scalar = z
  .union([z.string(), z.number(), z.boolean()])
  .meta({ id: 'scalar', description: 'A text, a number or a boolean.' })
/** At least one. */
export const several = <Shape extends z.ZodType>(shape: Shape): z.ZodArray<Shape> => z.array(shape).min(1)
/** A record with at least one member. The JSON Schema says it too, which knows nothing of what `refine` asks. */
export const withMembers = <Shape extends z.ZodRecord>(record: Shape, message: string): Shape =>
  record.refine((members) => Object.keys(members).length > 0, message).meta({ minProperties: 1 })
export const template = z.string().meta({
  id: 'template',
  description:
    'Text with `{variables}`. `{name?}` may have no value: then the member or parameter that contains it is left out.',
})
export const place = z.string().meta({
  id: 'place',
  description:
    'Where a value is in an answer or a body: `a.b` or, if a name contains a dot, the JSON pointer `/a.b/c`. Empty: the whole.',
})
/** A place, or several: the first one with a value counts. */
export const places = z.union([place, several(place)])
/** Values by their places. */
export const where = z.record(z.string(), json)
export const answerPlace = z
  .union([
    place.min(1),
    z.strictObject({ header: described(z.string().min(1), 'The header that has it.', 'X-Total-Count') }),
  ])
  .meta({ id: 'answerPlace', description: 'A place in the body of an answer, or `{ header: X-Total-Count }`.' })
export type AnswerPlace = z.infer<typeof answerPlace>
export const idPlace = z
  .union([
    place,
    z.strictObject({
      header: described(z.string().min(1), 'The header that has it; then it is not read from a body.', 'Location'),
      path: optional(
        z.string().regex(/^\//, 'a path starts with /'),
        'For a header with a URL: the end of its path, with the id in braces; `*` is any segment. When left out, the id in `Location` and `Content-Location` is the last segment.',
        '/things/{id}',
      ),
    }),
  ])
  .meta({
    id: 'idPlace',
    description:
      'Where an answer has an id: a place, or `{ header: Location }` if no body has it. A URL is accepted only within the origin of the API.',
  })
export type IdPlace = z.infer<typeof idPlace>

/** Why a template cannot be filled in; it follows the name of a variable. */
export const lacks = {
  noValue: 'has no value',
  notYet: 'is known only after the apply',
  noObject: 'is no object whose members are known now',
  noText: 'contains a secret or a value that another command returns, and cannot be a part of a text',
  lostSegment: (segment: string) => `is "${segment}", which cannot be a segment of a path`,
}

/** Why a value cannot be written, and what to do. */
export const unwritable = {
  keptKey: (): MessageAndFix => [
    'it cannot be removed: the document says that the server keeps what a body leaves out (keeps: true)',
    'if the server replaces this object as a whole, leave keeps out of write, and name under drop what it refuses; if null removes a key, write the part with send: mergePatch',
  ],
  namesakes: (key: string): MessageAndFix => [
    `several of its elements are called ${key}, and requests for single elements name them by that`,
    'add to the key of the collection what tells them apart, or take all but one of them away by hand',
  ],
  holdsNull: (): MessageAndFix => [
    'it has a null that is a value, and a merge patch takes it for a removal',
    'leave the null out, or write the part with send: jsonPatch or object',
  ],
  emptyInForm: (): MessageAndFix => [
    'it is an empty list, for which a form has no field, so that the server would keep what it has',
    'write the part with a PUT, or with another contentType, if the API has one',
  ],
  objectInForm: (): MessageAndFix => [
    'it is an object, and the fields of a form are texts, numbers and lists of them',
    'set as: json at the attribute, or write the part with another contentType',
  ],
  inList: (list: string): MessageAndFix => [
    `it is an element of ${list}, and this request would replace the whole list by it`,
    'write the part with send: object or jsonPatch, or declare the list',
  ],
  hiddenMembers: (): MessageAndFix => [
    'members of it go, it is hidden as a whole, and a merge patch must name what goes',
    'set sensitive at its element and not at the map, or write the part with send: jsonPatch or object',
  ],
  /** `lists`: places of lists without a key. */
  notFound: (lists: readonly string[]): MessageAndFix => [
    'an element of a list in it cannot be told from others in what was read, and what the document does not name of these would be lost',
    lists.length === 0
      ? 'declare the list under attributes and element, with a key that distinguishes its elements'
      : `set the key that distinguishes the elements of ${lists.join(', ')}, or name more of them under element`,
  ],
  onlyDigest: (members: readonly string[], isPartial: boolean): MessageAndFix => [
    `it is sent as one text, and of ${members.join(', ')} in it only the digest is known`,
    isPartial
      ? 'set partial: false at the attribute, and declare all of it'
      : 'set type: any and sensitive: true at the attribute itself, and declare the whole text as one secret',
  ],
}

/** Why an operation is no valid one. */
export const graphqlWords = {
  missing: 'is missing',
  both: 'an operation with `graphql` has none: it is the POST of its text and its `variables`',
  withoutText: 'they are the variables of `graphql`, and there is none',
  notOne: 'one query or one mutation, and nothing else beside fragments',
  undeclared: 'the text of `graphql` does not declare it',
}

/** Names of permissions as the API calls them, with the level that is needed. */
export const permissions = z.record(z.string().min(1), z.string().min(1))
