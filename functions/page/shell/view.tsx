import { linkTo, type PagePlace } from '../data/place.ts'
import { Fleet } from '../fleet/fleet.tsx'
import { late } from '../parts/late.tsx'
import { Empty } from '../parts/states.tsx'

const Workspace = late(async () => (await import('./workspace-view.tsx')).WorkspaceView)

/** The view of a place. */
export const View = ({ place }: { readonly place: PagePlace }) => {
  const [kind, workspace, ...rest] = place.path
  if (kind === undefined) return <Fleet query={place.query} />
  if (kind === 'w' && workspace !== undefined)
    return <Workspace key={workspace} workspace={workspace} rest={rest} query={place.query} />
  return (
    <Empty>
      <h1>There is nothing here</h1>
      <p>
        <a href={linkTo([])}>All workspaces</a>
      </p>
    </Empty>
  )
}
