import { dumpOf, ok, type Routes, startRoutes } from '../servers/json-routes.ts'
import { notDescribed } from './described.ts'
import { cloudKinds } from './waldur-cloud.ts'
import type { KindEntry } from './waldur-entry.ts'
import { memberRoutes } from './waldur-members.ts'
import { orderRoutes } from './waldur-orders.ts'
import { peoplesKinds } from './waldur-people.ts'
import { addPeople, userOf } from './waldur-rights.ts'
import { routesOf } from './waldur-routes.ts'
import { add, emptyState, type Kind, notFound, type References, shown, wrong } from './waldur-state.ts'

/*
 * A stand-in of Waldur's API: objects name each other by URL, lists come in pages of ten with a Link header, filters that a
 * list does not know are ignored, a deleted project stays readable, a PATCH takes the customer of a project and does nothing
 * with it, whatever happens in the cloud is scheduled and goes through states, machines and volumes are ordered at a
 * marketplace, and what a token may not see is not there. Names may be given twice.
 *
 * Its forms are those of the published description (test/fixtures/waldur-openapi.yaml has what is used of it) and, with
 * `references: 'object'`, those of the release of October 2024: objects where URLs are taken today, states written as
 * `Update Scheduled`, a deleted project hidden, no kinds of projects.
 */

export interface WaldurOptions {
  readonly references?: References
}

export const startWaldur = async ({ references = 'url' }: WaldurOptions = {}) => {
  const state = emptyState(references)
  const table = Object.entries({ ...peoplesKinds, ...cloudKinds }) as [Kind, KindEntry][]
  const routes: Routes = {
    'GET /users/me/': (asked) => ok(shown(state, 'users', userOf(state, asked) ?? {})),
    ...Object.assign({}, ...table.map(([kind, entry]) => routesOf(state, kind, entry))),
    ...memberRoutes(state, 'customers'),
    ...memberRoutes(state, 'projects'),
    ...orderRoutes(state),
  }
  const violations = new Set<string>()
  const server = await startRoutes(routes, {
    prefix: '/api',
    notFound,
    answered: (asked, answer) => {
      for (const fault of references === 'url' ? notDescribed(asked, answer) : []) violations.add(fault)
    },
    guard: (asked) => {
      if (userOf(state, asked) === undefined) return wrong(401, 'Invalid token.')
      // Django wants the slash, and what it was sent is lost on the way.
      return asked.path.endsWith('/') ? undefined : { status: 301, headers: { location: `${asked.path}/` } }
    },
  })
  state.base = `${server.url}/api`
  addPeople(state)
  return {
    ...server,
    state,
    /** In what a request or its answer was not as today's description has it. */
    violations: (): readonly string[] => [...violations],
    dump: () => dumpOf(state.objects),
    add: (...given: Parameters<typeof add> extends [unknown, ...infer Rest] ? Rest : never) => add(state, ...given),
  }
}

export type Waldur = Awaited<ReturnType<typeof startWaldur>>
