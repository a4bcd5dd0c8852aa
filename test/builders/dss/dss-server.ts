import { defined } from '../../../core/engine/values/defined.ts'
import { dumpOf, objectOf, ok, type Routes, startRoutes } from '../servers/json-routes.ts'
import { type DssOptions, libraryRoutes, scenarioRoutes } from './dss-automation.ts'
import { flowRoutes } from './dss-flow.ts'
import { type DssState, emptyProject, handlersOf, missing, wrong } from './dss-project.ts'

/*
 * A stand-in of Dataiku DSS's public API, with the forms of its Python client (dataiku-api-client 14): four endpoints for
 * one dataset, whole-object PUTs that reset what they do not hold, members that the server adds to what it is given,
 * zones whose list says what is in them, scenarios with ids of the server, libraries that a future makes.
 */

export const dssKey = 'dss-key-0123'
const prefix = '/dip/publicapi'

const projectRoutes = (state: DssState): Routes => {
  const { inProject } = handlersOf(state)
  const whole = (member: 'metadata' | 'settings' | 'permissions' | 'variables'): Routes => ({
    [`GET /projects/:key/${member}`]: inProject((project) => ok(project[member])),
    [`PUT /projects/:key/${member}`]: inProject((project, { body }) => {
      project[member] = objectOf(body)
      return ok({ msg: 'saved' })
    }),
  })
  return {
    ...whole('metadata'),
    ...whole('settings'),
    ...whole('permissions'),
    ...whole('variables'),
    'GET /projects': () =>
      ok([...state.projects].map(([projectKey, { metadata }]) => ({ projectKey, name: metadata['label'] ?? '' }))),
    'POST /projects': ({ body }) => {
      const { projectKey, name, owner } = objectOf(body)
      if (typeof projectKey !== 'string' || typeof name !== 'string' || typeof owner !== 'string')
        return wrong(400, 'projectKey, name and owner are needed')
      if (state.projects.has(projectKey)) return wrong(409, `project ${projectKey} exists`)
      state.projects.set(projectKey, emptyProject(projectKey, name, owner))
      return ok({ msg: `Created project ${projectKey}` })
    },
    'GET /projects/:key': inProject(({ metadata: { label }, permissions }, { params }) =>
      ok({
        projectKey: params['key'] ?? '',
        name: label ?? '',
        ownerLogin: permissions['owner'] ?? null,
        projectStatus: 'Sandbox',
      }),
    ),
    'DELETE /projects/:key': inProject((_, { params }) => {
      state.projects.delete(params['key'] ?? '')
      return ok({ msg: 'deleted' })
    }),
  }
}

export const startDss = async (options: DssOptions = {}) => {
  const state: DssState = { projects: new Map(), futures: new Map(), counters: { zone: 0, future: 0 } }
  const { projects } = state
  const expected = `Basic ${Buffer.from(`${dssKey}:`).toString('base64')}`
  const routes = {
    ...projectRoutes(state),
    ...flowRoutes(state),
    ...scenarioRoutes(state),
    ...libraryRoutes(state, options),
  }
  const { port, answered } = options
  const refused = new Set<string>()
  const server = await startRoutes(routes, {
    prefix,
    looseSlash: true,
    notFound: missing('this path'),
    guard: ({ headers, method, path }) => {
      if (headers.authorization !== expected) return wrong(401, 'Invalid API key')
      const isRefused = method !== 'GET' && refused.has(path.slice(prefix.length).replace(/\/$/, ''))
      return isRefused ? wrong(403, 'the stand-in was told to refuse this') : undefined
    },
    ...defined({ port, answered }),
  })
  return {
    ...server,
    projects,
    /** Paths whose writes are refused, without the prefix: `/projects/CHURN/variables`. */
    refused,
    dump: () => dumpOf([...projects]),
    addProject: (key: string) => void projects.set(key, emptyProject(key, key, 'ada')),
  }
}

export type Dss = Awaited<ReturnType<typeof startDss>>
