import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { type ErrorCode, errorTable } from '#core'
import { routes } from '../../functions/api/routes/index.ts'
import { document, operations, problemsUnder } from '../builders/generated/answer-schema.ts'
import { long } from '../builders/long.ts'

const refs = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, child]) => (key === '$ref' ? [String(child)] : refs(child)))

test('the committed copy is current; `npm run generate` writes it', () => {
  const committed: unknown = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
  expect(committed).toEqual(document)
})

test('every reference resolves', () => {
  const known = new Set(
    Object.entries({ ...document.components }).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    ),
  )
  expect(refs(document).filter((ref) => !known.has(ref))).toEqual([])
  expect(refs(document).length).toBeGreaterThan(50)
})

test('every schema compiles', long, () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false })
  addFormats.default(ajv)
  ajv.addKeyword('components')
  ajv.addSchema({ $id: 'openapi', components: { schemas: document.components.schemas } })
  for (const name of Object.keys(document.components.schemas))
    expect(() => ajv.compile({ $ref: `openapi#/components/schemas/${name}` })).not.toThrow()
})

test('every route is described once, with its own id', () => {
  expect(operations.length).toBe(routes.length)
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(routes.length)
})

describe.each(operations)('$method $path', ({ path, operation }) => {
  test('declares the parameters of its path', () => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(operation.parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath)
  })

  test('has valid examples', () => {
    for (const [mediaType, { schema, example }] of Object.entries(operation.requestBody?.content ?? {})) {
      expect(example, mediaType).toBeDefined()
      expect(problemsUnder(schema, example)).toEqual([])
    }
    for (const { content } of Object.values(operation.responses))
      for (const { schema, example } of Object.values(content))
        if (example !== undefined) expect(problemsUnder(schema, example)).toEqual([])
  })

  test('says who may call it', () => {
    const isSigned = path.endsWith('/webhook')
    const open = /^\/(v1\/(health|openapi\.json|sign-in)|assets\/\{name\})?$/.test(path) || isSigned
    expect(operation.security).toHaveLength(open ? 0 : 2)
    expect(Object.keys(operation.responses).includes('401')).toBe(!open || isSigned)
  })
})

test('an example of an error shows the error that it is named after', () => {
  for (const [code, { value }] of Object.entries(document.components.examples)) {
    expect(problemsUnder({ $ref: '#/components/schemas/Problem' }, value)).toEqual([])
    expect(value).toMatchObject({ code, status: errorTable[code as ErrorCode].status })
  }
})

test('an error is described under its own status', () => {
  for (const { operation } of operations)
    for (const [status, { content }] of Object.entries(operation.responses))
      for (const code of Object.values(content).flatMap(({ examples }) => Object.keys(examples ?? {})))
        expect(errorTable[code as ErrorCode].status).toBe(Number(status))
})
