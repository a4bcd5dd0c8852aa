import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { type Answered, type Asked, type Handler, objectOf } from '../servers/json-routes.ts'

/* What a project of the DSS stand-in holds, and what its server makes of what it is given. */

export interface Project {
  settings: JsonObject
  metadata: JsonObject
  permissions: JsonObject
  variables: JsonObject
  zones: Map<string, JsonObject>
  datasets: Map<string, Piece>
  recipes: Map<string, Piece>
  scenarios: Map<string, Piece>
  libraries: { gitReferences: Record<string, Json>; pythonPath: string[]; rsrcPath: string[] }
}

/** An object of a project with what hangs on it. */
export interface Piece {
  definition: JsonObject
  metadata: JsonObject
  schema: JsonObject
  payload: string
}

export const wrong = (status: number, message: string): Answered => ({
  status,
  body: { errorType: 'com.dataiku.dip.exceptions.DSSInternalErrorException', message, detailedMessage: message },
})
export const missing = (what: string): Answered => wrong(404, `${what} does not exist`)

export const emptyMetadata = (label: string): JsonObject => ({
  label,
  tags: [],
  checklists: { checklists: [] },
  custom: { kv: {} },
  customFields: {},
})

/** Each write of a definition counts, and is signed by the server. */
export const tagged = (definition: JsonObject, before?: JsonObject): JsonObject => {
  const number = Number(objectOf(before?.['versionTag'])['versionNumber'] ?? -1) + 1
  const tag = { versionNumber: number, lastModifiedBy: { login: 'api' }, lastModifiedOn: 1_760_000_000_000 + number }
  return { ...definition, versionTag: tag, creationTag: before?.['creationTag'] ?? { ...tag, versionNumber: 0 } }
}

/** Columns come back with more than they were sent with. */
export const column = (given: Json): Json => ({ timestampNoTzAsDate: false, maxLength: -1, ...objectOf(given) })

export const emptyProject = (key: string, name: string, owner: string): Project => ({
  settings: {
    projectKey: key,
    name,
    exposedObjects: { objects: [] },
    settings: { integrations: { integrations: [] }, limitsVisualAnalysis: { maxEngineMemory: 2 } },
    metrics: { probes: [], displayedState: {} },
    recipeEngines: { preferenceOrder: [] },
  },
  metadata: { ...emptyMetadata(name), shortDesc: '', description: '' },
  permissions: { owner, permissions: [], dashboardAuthorizations: { allAuthorized: true, authorizations: [] } },
  variables: { standard: {}, local: {} },
  zones: new Map([['default', { id: 'default', name: 'Default', color: '#2ab1ac', items: [], shared: [] }]]),
  datasets: new Map(),
  recipes: new Map(),
  scenarios: new Map(),
  libraries: { gitReferences: {}, pythonPath: ['python'], rsrcPath: ['static'] },
})

export const newDataset = (key: string, given: JsonObject): Piece => ({
  definition: tagged({
    managed: false,
    formatParams: {},
    partitioning: { filePathPattern: '', dimensions: [] },
    flowOptions: { rebuildBehavior: 'NORMAL' },
    ...given,
    projectKey: key,
    params: { notReadyIfEmpty: false, ...objectOf(given['params']) },
    smartName: given['name'] ?? null,
  }),
  metadata: emptyMetadata(String(given['name'])),
  schema: { columns: [], userModified: false },
  payload: '',
})

/** A PUT replaces the whole: what it leaves out is what a new dataset has. */
export const putDataset = (piece: Piece, given: JsonObject): void => {
  const { projectKey, name, type, managed } = piece.definition
  const fresh = newDataset(String(projectKey), {
    ...given,
    name: name ?? null,
    type: type ?? null,
    managed: managed ?? false,
  })
  piece.definition = tagged(fresh.definition, piece.definition)
}

export interface DssState {
  readonly projects: Map<string, Project>
  /** Started and not yet over: so many polls are left. */
  readonly futures: Map<string, { left: number; readonly done: () => void; readonly failed?: string }>
  readonly counters: { zone: number; future: number }
}

type InProject = (project: Project, asked: Asked) => Answered
type InPiece = (piece: Piece, asked: Asked, project: Project) => Answered

/** Handlers below `/projects/:key`, and below an object of it called `:name`. */
export const handlersOf = ({ projects }: DssState) => {
  const inProject =
    (act: InProject): Handler =>
    (asked) => {
      const project = projects.get(asked.params['key'] ?? '')
      return project === undefined ? missing(`project ${asked.params['key']}`) : act(project, asked)
    }
  const inPiece = (kind: 'datasets' | 'recipes' | 'scenarios', act: InPiece): Handler =>
    inProject((project, asked) => {
      const piece = project[kind].get(asked.params['name'] ?? '')
      return piece === undefined ? missing(`${kind} ${asked.params['name']}`) : act(piece, asked, project)
    })
  return { inProject, inPiece }
}

/** What is in no zone's list is in the default one. */
export const leaveZones = (project: Project, type: string, name: string): void => {
  for (const [id, zone] of project.zones) {
    const items = (zone['items'] as JsonObject[]).filter(
      (item) => item['objectId'] !== name || item['objectType'] !== type,
    )
    project.zones.set(id, { ...zone, items })
  }
}
