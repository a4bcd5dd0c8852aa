import type * as z from 'zod'
import { type Deps, type ErrorCode, openRecords } from '#core'
import { type Answer, type Definition, type Input, type NoHeaders, type None, type Route, route } from './route.ts'
import { ofWorkspace } from './shapes.ts'

type OfWorkspace = typeof ofWorkspace
type Records = Awaited<ReturnType<typeof openRecords>>

interface RecordsDefinition<P extends z.ZodObject, Q extends z.ZodObject>
  extends Omit<Definition<P, Q, NoHeaders, unknown>, 'method' | 'scope' | 'errors' | 'handle'> {
  /** Relative to the path of the workspace. */
  readonly path: string
  /** In addition to WORKSPACE_NOT_FOUND. */
  readonly errors?: readonly ErrorCode[]
  readonly read: (
    records: Records,
    input: Input<z.output<P>, z.output<Q>, z.output<NoHeaders>, unknown>,
    deps: Pick<Deps, 'store'>,
  ) => Promise<Answer>
}

export const recordsRoute = <P extends OfWorkspace = OfWorkspace, Q extends z.ZodObject = None>({
  path,
  errors = [],
  read,
  ...rest
}: RecordsDefinition<P, Q>): Route =>
  route<P, Q>({
    params: ofWorkspace as P,
    ...rest,
    method: 'GET',
    scope: 'read',
    path: `/v1/workspaces/{workspace}${path}`,
    errors: ['WORKSPACE_NOT_FOUND', ...errors],
    handle: async (input, deps) => {
      // The parameters of every such route name the workspace, as `P` says.
      const { workspace } = input.params as z.output<OfWorkspace>
      return read(await openRecords(deps.store, workspace), input, deps)
    },
  })
