import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'

const ref = (generation: 2 | 3, name: string): Json => ({
  $ref: `${generation === 2 ? '#/definitions' : '#/components/schemas'}/${name}`,
})

const schemas = (generation: 2 | 3): JsonObject => ({
  ThingWrite: {
    type: 'object',
    required: ['name', 'size'],
    properties: {
      name: { type: 'string' },
      size: { type: 'integer', default: 1 },
      color: { type: 'string', enum: ['red', 'green'] },
      labels: { type: 'array', uniqueItems: true, items: { type: 'string' } },
      region: { type: 'string' },
      limits: ref(generation, 'Limits'),
      password: { type: 'string' },
    },
  },
  ThingChange: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      size: { type: 'integer' },
      color: { type: 'string', enum: ['red', 'green'] },
      labels: { type: 'array', uniqueItems: true, items: { type: 'string' } },
      limits: ref(generation, 'Limits'),
      password: { type: 'string' },
    },
  },
  Thing: {
    type: 'object',
    properties: {
      id: { type: 'string', readOnly: true },
      name: { type: 'string' },
      size: { type: 'integer' },
      color: { type: 'string', enum: ['red', 'green'] },
      labels: { type: 'array', uniqueItems: true, items: { type: 'string' } },
      region: { type: 'string' },
      limits: ref(generation, 'Limits'),
      state: { type: 'string', enum: ['busy', 'ready', 'broken'] },
      created_at: { type: 'string', format: 'date-time' },
    },
  },
  Limits: { type: 'object', properties: { cpu: { type: 'number' }, memory: { type: 'number' } } },
})

const query = (generation: 2 | 3, name: string, type: string): JsonObject => ({
  name,
  in: 'query',
  ...(generation === 2 ? { type } : { schema: { type } }),
})

const answer = (generation: 2 | 3, schema: Json): JsonObject => ({
  description: 'ok',
  ...(generation === 2 ? { schema } : { content: { 'application/json': { schema } } }),
})

const body = (generation: 2 | 3, name: string): JsonObject =>
  generation === 2
    ? { parameters: [{ in: 'body', name: 'body', required: true, schema: ref(2, name) }] }
    : { requestBody: { required: true, content: { 'application/json': { schema: ref(3, name) } } } }

const paths = (generation: 2 | 3): JsonObject => ({
  '/things': {
    get: {
      operationId: 'listThings',
      tags: ['things'],
      parameters: [
        query(generation, 'page', 'integer'),
        query(generation, 'per_page', 'integer'),
        query(generation, 'name', 'string'),
      ],
      responses: { 200: answer(generation, { type: 'array', items: ref(generation, 'Thing') }) },
    },
    post: {
      operationId: 'createThing',
      tags: ['things'],
      ...body(generation, 'ThingWrite'),
      responses: { 201: answer(generation, ref(generation, 'Thing')) },
    },
  },
  '/things/{thingId}': {
    parameters: [{ ...query(generation, 'thingId', 'string'), in: 'path', required: true }],
    get: {
      operationId: 'getThing',
      tags: ['things'],
      responses: { 200: answer(generation, ref(generation, 'Thing')) },
    },
    patch: {
      operationId: 'changeThing',
      tags: ['things'],
      ...body(generation, 'ThingChange'),
      responses: { 200: answer(generation, ref(generation, 'Thing')) },
    },
    delete: { operationId: 'removeThing', tags: ['things'], responses: { 204: { description: 'gone' } } },
  },
})

/** A small API as Swagger 2.0 and as OpenAPI 3.0. */
export const oldThings: JsonObject = {
  swagger: '2.0',
  info: { title: 'Things API', version: '1' },
  host: 'api.test',
  basePath: '/v1',
  schemes: ['https'],
  securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  security: [{ key: [] }],
  paths: paths(2),
  definitions: schemas(2),
}

export const things: JsonObject = {
  openapi: '3.0.3',
  info: { title: 'Things API', version: '1' },
  servers: [{ url: 'https://api.test/v1' }],
  security: [{ key: [] }],
  paths: paths(3),
  components: { schemas: schemas(3), securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
}
