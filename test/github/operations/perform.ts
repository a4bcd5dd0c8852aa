import { expect } from 'vitest'
import type { Json } from '../../../core/engine/schema/json.ts'
import { asking, jwtOf } from '../asking.ts'
import type { startGitHub } from '../start-github.ts'
import { sealBox } from '../state/sealed-box.ts'
import { appSteps, branchSteps } from './branches.ts'
import { collaborationSteps } from './collaboration.ts'
import { organizationSteps } from './organization.ts'
import { repositorySteps } from './repository.ts'
import { secretSteps } from './secrets.ts'
import type { Step } from './step.ts'
import { farewellSteps, teamSteps } from './teams.ts'

/** Every operation of the description at least once, in order, against one organisation. */
const steps: readonly Step[] = [
  ...teamSteps,
  ...repositorySteps,
  ...collaborationSteps,
  ...secretSteps,
  ...organizationSteps,
  ...branchSteps,
  ...appSteps,
  ...farewellSteps,
]

type Kept = Record<string, string | number>

/** A text that is nothing but a name in braces becomes what was kept, with its type. */
const filled = (value: Json, kept: Kept): Json =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/"\{([\w-]+)\}"/g, (_, name: string) => JSON.stringify(kept[name])),
  ) as Json

/** Performs the steps at `url`, the stand-in itself or what stands before it; gives those that had another status. */
export const performSteps = async (
  github: Awaited<ReturnType<typeof startGitHub>>,
  url = github.url,
  heard: (step: Step, headers: Headers) => void = () => {},
): Promise<readonly string[]> => {
  const app = github.app({ slug: 'helper', permissions: { administration: 'read' } })
  const jwt = jwtOf(app, github.clock.now())
  const kept: Kept = { installation: app.installation, app: jwt, owner: github.token() }
  const wrong: string[] = []
  for (const step of steps) {
    const { by = 'owner', ask: line, body, status = 200, keep, shows } = step
    const [method = '', path = ''] = line.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(kept[name])).split(' ')
    const answer = await asking({ url }, String(kept[by]))(method, path, body && filled(body, kept))
    heard(step, answer.headers)
    if (keep !== undefined) kept[keep] = answer.body?.token ?? answer.body?.key_id ?? answer.body?.id
    if (answer.body?.key_id) kept['sealed'] = sealBox('x', Buffer.from(answer.body.key, 'base64'))
    if (answer.status !== status) wrong.push(`${line}: ${answer.status} ${JSON.stringify(answer.body)}`)
    else if (shows !== undefined) expect(answer.body, line).toMatchObject(filled(shows, kept) as object)
  }
  return wrong
}
