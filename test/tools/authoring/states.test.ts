import { describe, expect, it } from 'vitest'
import { restDocument } from '../../../core/providers/rest/document/document.ts'
import { compareDocument } from '../../../core/tools/authoring/check/resource.ts'
import { readDescription } from '../../../core/tools/authoring/description/read-description.ts'
import { things } from '../../builders/generated/openapi.ts'

const document = restDocument.parse({
  provider: { id: 'things', baseUrl: 'https://api.test/v1' },
  resources: {
    api_thing: {
      operations: {
        list: { method: 'GET', path: '/things' },
        retrieve: { method: 'GET', path: '/things/{id}' },
        create: { method: 'POST', path: '/things' },
        delete: { method: 'DELETE', path: '/things/{id}' },
      },
      identity: { keys: ['name'] },
      lookup: { list: {}, match: ['name'] },
      serverId: { id: 'id' },
      parts: [
        {
          name: 'main',
          read: 'retrieve',
          attributes: { name: { required: true }, size: { type: 'number', required: true } },
        },
      ],
    },
  },
})

/** The document with a member in an operation or in the resource, whichever keys the language has for it. */
const messagesWith = (where: 'create' | 'resource', more: object): readonly string[] => {
  const read = readDescription(JSON.stringify(things))
  const [name, resource] = Object.entries(document.resources)[0] ?? []
  if (!read.ok || name === undefined || resource === undefined) throw new Error('the test is wrong')
  const changed =
    where === 'resource'
      ? { ...resource, ...more }
      : { ...resource, operations: { ...resource.operations, create: { ...resource.operations['create'], ...more } } }
  const whole = { ...document, resources: { [name]: changed } } as typeof document
  return compareDocument(whole, read.reading.description).disagreements.map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  )
}

const retrieve = 'retrieve (GET /things/{id})'

describe('states that are waited for', () => {
  it.each<[string, 'create' | 'resource', object, readonly string[]]>([
    ['known', 'create', { wait: { poll: 'retrieve', state: 'state', ok: ['ready'], error: ['broken'] } }, []],
    [
      'unknown',
      'create',
      { wait: { poll: 'retrieve', state: 'state', ok: ['READY'], error: ['broken', 'lost'] } },
      [`"state" is never "READY", "lost" in the response of ${retrieve}`],
    ],
    [
      'of a sequence',
      'create',
      { wait: [{ poll: { op: 'retrieve' }, state: 'state', ok: ['done'] }] },
      ['is never "done"'],
    ],
    ['of the resource', 'resource', { wait: { poll: 'retrieve', state: 'state', ok: ['done'] } }, ['is never "done"']],
    [
      'of its life',
      'resource',
      { lifecycle: { states: { at: 'state', busy: ['busy'], error: ['gone'] } } },
      ['is never "gone"'],
    ],
    ['where nobody knows them', 'create', { wait: { poll: { location: true }, state: 'state', ok: ['done'] } }, []],
    ['at a place without values', 'create', { wait: { poll: 'retrieve', state: 'name', ok: ['done'] } }, []],
  ])('are compared with those that the description lists: %s', (_, where, more, expected) => {
    const found = messagesWith(where, more)
    expect(found).toHaveLength(expected.length)
    for (const text of expected) expect(found.join('\n')).toContain(text)
  })
})
