import { expect, it } from 'vitest'
import { renderProviderReport } from '../../../core/pages/render/plain/authoring/render-provider-report.ts'
import { checkProvider } from '../../../core/tools/authoring/check-provider.ts'

const description = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'things', version: '1' },
  paths: {
    '/things/{name}': {
      parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/thing' } } } } },
      },
      put: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/thing' } } } },
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/thing' } } } } },
      },
      delete: { responses: { 204: {} } },
    },
  },
  components: {
    schemas: {
      thing: {
        type: 'object',
        properties: { size: { type: 'string' }, owners: { type: ['array', 'null'], items: { type: 'string' } } },
      },
    },
  },
})

const document = (waive = '', facts = '') => `provider:
  id: things
  baseUrl: https://api.test${waive}
resources:
  api_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: create, send: full }
        attributes: { name: { in: path }, size: {}, owners: { type: set, element: {}${facts} }, note: { clearAs: null } }
`

const check = (text: string) => checkProvider({ name: 'api.yaml', text }, { name: 'api.json', text: description })
const warningsOf = (text: string) => check(text).findings.map(({ code, line }) => `${line} ${code ?? ''}`)

const waive = (at: string) =>
  `\n  waive: [{ warning: notRead, at: ${at}, reason: the server answers it }, { warning: notSent, reason: and takes it }]`

it('names the warnings of a wrong description, and where null is not decided', () => {
  expect(warningsOf(document())).toEqual(['16 nullUndecided', '16 notSent', '16 notRead'])
})

it.each([', clearAs: null', ', default: []', ', leftOut: true'])(
  'does not ask where the document decides%s',
  (facts) => {
    expect(warningsOf(document('', facts)).filter((each) => each.includes('null'))).toEqual([])
  },
)

it('waives what the document answers, and nothing else', () => {
  const report = check(document(waive('resources.api_thing')))
  expect(report.findings.map(({ code }) => code)).toEqual(['nullUndecided'])
  expect(report.waived.map(({ reason }) => reason)).toEqual(['and takes it', 'the server answers it'])
  expect(renderProviderReport(report)).toMatch(
    /\[nullUndecided\]\n.*\n.*\n1 warning {2}api\.yaml {2}1 type, .*, 2 warnings waived/,
  )
})

it('warns of a waiver that waives nothing', () => {
  expect(warningsOf(document(waive('resources.api_other'))).toSorted()).toEqual([
    '17 notRead',
    '17 nullUndecided',
    '4 waivesNothing',
  ])
})
