import type { Json } from '../../../core/engine/schema/json.ts'
import { objectOf, ok, type Routes } from '../servers/json-routes.ts'
import {
  column,
  type DssState,
  emptyMetadata,
  handlersOf,
  leaveZones,
  missing,
  newDataset,
  putDataset,
  tagged,
  wrong,
} from './dss-project.ts'

/* The flow of a project of the DSS stand-in: zones, datasets and recipes. */

export const flowRoutes = (state: DssState): Routes => ({
  ...zoneRoutes(state),
  ...datasetRoutes(state),
  ...recipeRoutes(state),
})

const metadataOf = (state: DssState, kind: 'datasets' | 'recipes') => {
  const { inPiece } = handlersOf(state)
  return {
    get: inPiece(kind, (piece) => ok(piece.metadata)),
    put: inPiece(kind, (piece, { body }) => {
      piece.metadata = objectOf(body)
      return ok({})
    }),
  }
}

const zoneRoutes = (state: DssState): Routes => {
  const { inProject } = handlersOf(state)
  return {
    'GET /projects/:key/flow/zones': inProject(({ zones }) => ok([...zones.values()])),
    'POST /projects/:key/flow/zones': inProject(({ zones }, { body }) => {
      state.counters.zone += 1
      const zone = {
        id: `zn${state.counters.zone}Qx8`,
        color: '#2ab1ac',
        ...objectOf(body),
        items: [],
        shared: [],
        position: { x: 0, y: 0 },
      }
      zones.set(zone.id, zone)
      return ok(zone)
    }),
    'GET /projects/:key/flow/zones/:id': inProject(({ zones }, { params }) => {
      const zone = zones.get(params['id'] ?? '')
      return zone === undefined ? missing('zone') : ok(zone)
    }),
    'PUT /projects/:key/flow/zones/:id': inProject(({ zones }, { params, body }) => {
      const zone = zones.get(params['id'] ?? '')
      if (zone === undefined) return missing('zone')
      zones.set(params['id'] ?? '', {
        items: [],
        shared: [],
        position: null,
        color: '#2ab1ac',
        ...objectOf(body),
        id: zone['id'] ?? '',
      })
      return ok({})
    }),
    'DELETE /projects/:key/flow/zones/:id': inProject(({ zones }, { params }) =>
      zones.delete(params['id'] ?? '') ? { status: 204 } : missing('zone'),
    ),
    'POST /projects/:key/flow/zones/:id/items': inProject((project, { params, body }) => {
      const { objectId, objectType } = objectOf(body)
      const id = params['id'] ?? ''
      if (!project.zones.has(id)) return missing('zone')
      leaveZones(project, String(objectType), String(objectId))
      const zone = project.zones.get(id) ?? {}
      // What is in no other zone is in the default one, whose list stays empty.
      const items =
        id === 'default'
          ? []
          : [...(zone['items'] as Json[]), { objectId: objectId ?? '', objectType: objectType ?? '' }]
      project.zones.set(id, { ...zone, items })
      return ok({})
    }),
  }
}

const datasetRoutes = (state: DssState): Routes => {
  const { inProject, inPiece } = handlersOf(state)
  const metadata = metadataOf(state, 'datasets')
  return {
    'POST /projects/:key/datasets': inProject((project, { params, body }) => {
      const given = objectOf(body)
      if (typeof given['name'] !== 'string' || typeof given['type'] !== 'string')
        return wrong(400, 'name and type are needed')
      if (project.datasets.has(given['name'])) return wrong(409, `dataset ${given['name']} exists`)
      project.datasets.set(given['name'], newDataset(params['key'] ?? '', given))
      return ok({ msg: 'created' })
    }),
    'GET /projects/:key/datasets': inProject(({ datasets }) =>
      ok([...datasets.values()].map(({ definition }) => definition)),
    ),
    'GET /projects/:key/datasets/:name': inPiece('datasets', ({ definition }) => ok(definition)),
    'PUT /projects/:key/datasets/:name': inPiece('datasets', (piece, { body }) => {
      putDataset(piece, objectOf(body))
      return ok({ msg: 'saved' })
    }),
    'DELETE /projects/:key/datasets/:name': inProject((project, { params }) => {
      const name = params['name'] ?? ''
      if (!project.datasets.delete(name)) return missing('dataset')
      leaveZones(project, 'DATASET', name)
      return ok({})
    }),
    'GET /projects/:key/datasets/:name/schema': inPiece('datasets', ({ schema }) => ok(schema)),
    'PUT /projects/:key/datasets/:name/schema': inPiece('datasets', (piece, { body }) => {
      const { columns = [], ...rest } = objectOf(body)
      piece.schema = { userModified: false, ...rest, columns: (columns as Json[]).map(column) }
      return ok({ columnsCount: (columns as Json[]).length })
    }),
    'GET /projects/:key/datasets/:name/metadata': metadata.get,
    'PUT /projects/:key/datasets/:name/metadata': metadata.put,
  }
}

const recipeRoutes = (state: DssState): Routes => {
  const { inProject, inPiece } = handlersOf(state)
  const metadata = metadataOf(state, 'recipes')
  return {
    'POST /projects/:key/recipes': inProject((project, { params, body }) => {
      const { recipePrototype, creationSettings } = objectOf(body)
      const prototype = objectOf(recipePrototype)
      const { name, outputs } = prototype
      if (typeof name !== 'string') return wrong(400, 'a recipe needs a name')
      for (const { items } of Object.values(objectOf(outputs)) as { items: { ref: string }[] }[]) {
        const absent = items.find(({ ref }) => !project.datasets.has(ref))
        if (absent !== undefined) return wrong(400, `output ${absent.ref} does not exist`)
      }
      project.recipes.set(name, {
        definition: tagged({
          params: {},
          tags: [],
          redispatchPartitioning: false,
          ...prototype,
          projectKey: params['key'] ?? '',
        }),
        metadata: emptyMetadata(name),
        schema: {},
        payload: String(objectOf(creationSettings)['script'] ?? ''),
      })
      return ok({ name })
    }),
    'GET /projects/:key/recipes/:name': inPiece('recipes', ({ definition, payload }) =>
      ok({ recipe: definition, payload }),
    ),
    'PUT /projects/:key/recipes/:name': inPiece('recipes', (piece, { body }) => {
      const { recipe, payload } = objectOf(body)
      piece.definition = tagged({ params: {}, redispatchPartitioning: false, ...objectOf(recipe) }, piece.definition)
      piece.payload = typeof payload === 'string' ? payload : ''
      return ok({ msg: 'saved' })
    }),
    'DELETE /projects/:key/recipes/:name': inProject((project, { params }) => {
      if (!project.recipes.delete(params['name'] ?? '')) return missing('recipe')
      leaveZones(project, 'RECIPE', params['name'] ?? '')
      return ok({})
    }),
    'GET /projects/:key/recipes/:name/metadata': metadata.get,
    'PUT /projects/:key/recipes/:name/metadata': metadata.put,
  }
}
