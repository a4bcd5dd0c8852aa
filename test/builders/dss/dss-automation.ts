import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { objectOf, ok, type Routes, type RoutesOptions } from '../servers/json-routes.ts'
import { type DssState, handlersOf, missing, tagged, wrong } from './dss-project.ts'

/* What runs by itself in the DSS stand-in: scenarios, libraries from git and the futures that make them. */

export interface DssOptions {
  /** So many polls pass before a future is done. */
  readonly polls?: number
  /** What a clone says instead of succeeding. */
  readonly cloneError?: string
  /** A port that somebody knows. */
  readonly port?: number
  /** Called with each answer. */
  readonly answered?: RoutesOptions['answered']
}

export const scenarioRoutes = (state: DssState): Routes => {
  const { inProject, inPiece } = handlersOf(state)
  return {
    'GET /projects/:key/scenarios': inProject(({ scenarios }) =>
      ok(
        [...scenarios.values()].map(
          ({ definition: { id, name, type, active } }) => ({ id, name, type, active }) as JsonObject,
        ),
      ),
    ),
    'POST /projects/:key/scenarios': inProject(({ scenarios }, { params, body }) => {
      const given = objectOf(body)
      const plain = String(given['name']).toUpperCase().replaceAll(/\W/g, '_')
      const id = scenarios.has(plain) ? `${plain}_${scenarios.size}` : plain
      const definition = tagged({
        active: false,
        triggers: [],
        reporters: [],
        params: {},
        ...given,
        id,
        projectKey: params['key'] ?? '',
      })
      scenarios.set(id, { definition, metadata: {}, schema: {}, payload: '' })
      return ok({ id })
    }),
    'GET /projects/:key/scenarios/:name': inPiece('scenarios', ({ definition }) => ok(definition)),
    'PUT /projects/:key/scenarios/:name': inPiece('scenarios', (piece, { body }) => {
      const { id = '', type = '', projectKey = '' } = piece.definition
      const given = { active: false, triggers: [], reporters: [], params: {}, ...objectOf(body) }
      piece.definition = tagged({ ...given, id, type, projectKey }, piece.definition)
      return ok({})
    }),
    'DELETE /projects/:key/scenarios/:name': inProject(({ scenarios }, { params }) =>
      scenarios.delete(params['name'] ?? '') ? ok({}) : missing('scenario'),
    ),
    'GET /projects/:key/scenarios/:name/payload': inPiece('scenarios', ({ payload }) => ok({ script: payload })),
    'PUT /projects/:key/scenarios/:name/payload': inPiece('scenarios', (piece, { body }) => {
      piece.payload = String(objectOf(body)['script'] ?? '')
      return ok({})
    }),
  }
}

export const libraryRoutes = (state: DssState, options: DssOptions): Routes => {
  const { inProject } = handlersOf(state)
  const later = (done: () => void) => {
    state.counters.future += 1
    const jobId = `future-${state.counters.future}`
    const failed = options.cloneError
    state.futures.set(jobId, { left: options.polls ?? 1, done, ...(failed === undefined ? {} : { failed }) })
    return ok({ jobId, alive: true, hasResult: false, aborted: false })
  }
  return {
    'GET /projects/:key/git/lib-git-refs': inProject(({ libraries }) => ok(libraries as unknown as Json)),
    'POST /projects/:key/git/lib-git-refs': inProject(({ libraries }, { body }) => {
      const { localTargetPath, addToPythonPath, password: _, ...reference } = objectOf(body)
      const path = String(localTargetPath)
      if (path in libraries.gitReferences) return wrong(400, `${path} is a library already`)
      return later(() => {
        libraries.gitReferences[path] = {
          ...reference,
          lastHash: 'a1b2c3',
          lastTimestamp: 1_760_000_000_000,
          isDirty: false,
        }
        if (addToPythonPath === true) libraries.pythonPath.push(path)
      })
    }),
    'PUT /projects/:key/git/lib-git-refs/:name': inProject(({ libraries }, { params, body }) => {
      const before = libraries.gitReferences[params['name'] ?? '']
      if (before === undefined) return missing('library')
      const { password: _, ...reference } = objectOf(body)
      libraries.gitReferences[params['name'] ?? ''] = { lastHash: 'a1b2c3', isDirty: false, ...reference }
      return ok('saved')
    }),
    'POST /projects/:key/git/lib-git-refs/action/reset': inProject(({ libraries }, { body }) => {
      const path = String(objectOf(body)['gitRef'])
      if (!(path in libraries.gitReferences)) return missing('library')
      return later(() => {
        libraries.gitReferences[path] = { ...objectOf(libraries.gitReferences[path]), lastHash: 'd4e5f6' }
      })
    }),
    'DELETE /projects/:key/git/lib-git-refs/:name': inProject(({ libraries }, { params }) => {
      const path = params['name'] ?? ''
      if (!(path in libraries.gitReferences)) return missing('library')
      delete libraries.gitReferences[path]
      libraries.pythonPath = libraries.pythonPath.filter((each) => each !== path)
      return { status: 204 }
    }),
    'GET /futures/:id': ({ params }) => {
      const jobId = params['id'] ?? ''
      const future = state.futures.get(jobId)
      if (future === undefined) return ok({ jobId, alive: false, hasResult: false, unknown: true })
      if (future.left > 0) {
        future.left -= 1
        return ok({ jobId, alive: true, hasResult: false, unknown: false })
      }
      state.futures.delete(jobId)
      if (future.failed !== undefined)
        return ok({
          jobId,
          alive: false,
          hasResult: false,
          unknown: false,
          error: { errorType: 'GitException', message: future.failed },
        })
      future.done()
      return ok({ jobId, alive: false, hasResult: true, unknown: false, result: { success: true } })
    },
  }
}
