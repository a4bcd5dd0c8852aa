import { urlWords } from '../../core/engine/values/url.ts'
import { requestApply } from '../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../core/engine/workflows/check/check-workspace.ts'
import type { Deps } from '../../core/engine/workflows/deps.ts'
import { importState } from '../../core/engine/workflows/state/import-state.ts'
import { exportState } from '../../core/engine/workflows/state/read-state.ts'
import { putWorkspace } from '../../core/engine/workflows/workspace/put-workspace.ts'
import { actor, testDeps } from '../builders/workspaces/workspace.ts'
import { type Asked, meet, serve } from './api.ts'
import { bundleOf, type Here, tokenSource, tokenText } from './declared.ts'
import type { Scene } from './scene.ts'
import { byUid, snapshot, type World } from './world.ts'

/* What goes on beside a workspace: its records are carried to a copy of its server, and another workspace takes what it has, and lets go. */

interface Beside {
  readonly scene: Scene
  readonly here: Here
  readonly deps: Deps
  readonly url: string
  /** The uids of what the last check found for what is declared, and others can know to be ours. */
  readonly held: ReadonlySet<number>
}

const workspace = 'model'

const over =
  (answer: (request: Asked) => ReturnType<typeof serve>): Deps['transport'] =>
  () => ({
    send: async (request) => answer({ ...request, url: urlWords(request.url) }),
  })

/**
 * Somebody copies the server, with all names and ids, and leads the workspace there, with its records: all objects of the copy
 * are of others.
 */
export const visitCopy = async ({
  scene: { world, fail, tell },
  here,
  deps,
}: Pick<Beside, 'scene' | 'here' | 'deps'>): Promise<void> => {
  const copy: World = snapshot(world)
  const document = await exportState(deps.store, workspace).catch(() => undefined)
  if (document === undefined) return
  const given = testDeps({ providers: deps.providers, transport: over((request) => serve(copy, request)) })
  given.secrets[tokenSource] = tokenText
  given.current.bundle = bundleOf(world.model, 'http://copy.test', here)
  await putWorkspace({ bundle: given.current.bundle, actor }, given.deps)
  await importState({ workspace, reason: 'a copy', actor, source: { document } }, given.deps)
  const { plan } = await checkWorkspace({ workspace, trigger: 'cli', actor }, given.deps)
  tell(`somebody copies the server, and a check of the copy plans ${plan?.commands.length ?? 0} commands`)
  const known = new Set(document.resources.map(({ address }) => address))
  const moved = here.moved.flatMap(({ from, to }) => (known.has(from) ? [to] : []))
  const touched = plan?.commands.find(({ address }) => known.has(address) || moved.includes(address))
  if (touched !== undefined) fail(`${touched.id} is a command of a record of another server`)
}

/** Another workspace of the same store declares the same, is checked, and then declares nothing any more. */
export const takeAndLetGo = async ({ scene, here, deps, url, held }: Beside): Promise<void> => {
  const { world, fail, tell } = scene
  const other = 'other'
  const answer = (request: Asked): ReturnType<typeof serve> => {
    const met = request.method === 'DELETE' ? meet(world, request.url) : undefined
    const thing = met?.kind === 'thing' ? byUid(world, met.uid) : undefined
    if (thing !== undefined && held.has(thing.uid))
      fail(`another workspace deletes ${thing.type} ${thing.name}, which this one manages`)
    return serve(world, request)
  }
  const all = new Map([...here.all].filter(([, { absent }]) => !absent))
  const bundles = [
    { all, moved: [], removed: [] },
    { all: new Map(), moved: [], removed: [] },
  ]
  tell('another workspace declares the same, and then lets go')
  for (const bundle of bundles) {
    const config = { load: async () => bundleOf(world.model, url, bundle, other) }
    const own: Deps = { ...deps, config, transport: over(answer) }
    const { run } = await checkWorkspace({ workspace: other, trigger: 'cli', actor }, own)
    if (bundle.all.size > 0 || run.digests === undefined) continue
    const { id } = await requestApply(
      { workspace: other, mode: 'execute', digest: run.digests.commands, reason: 'it lets go', actor },
      own,
    )
    await runApply({ workspace: other, applyId: id, patient: true }, own)
  }
}
