import { expect, test } from 'vitest'
import type { Json } from '../../core/schema/json.ts'
import { asking, jwtOf } from './asking.ts'
import { operationIds } from './description/routes.ts'
import { appSteps, branchSteps } from './operations/branches.ts'
import { collaborationSteps } from './operations/collaboration.ts'
import { organizationSteps } from './operations/organization.ts'
import { repositorySteps } from './operations/repository.ts'
import { secretSteps } from './operations/secrets.ts'
import type { Step } from './operations/step.ts'
import { farewellSteps, teamSteps } from './operations/teams.ts'
import { handlers } from './shelves/index.ts'
import { startGitHub } from './start-github.ts'
import { sealBox } from './state/sealed-box.ts'

/*
 * Every operation of the description once, in order, against one organisation. The stand-in checks each request and each answer
 * against the description: a step that is here passed both.
 */

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

type Kept = Readonly<Record<string, string | number>>

/** A text that is nothing but a name in braces becomes what was kept, with its type. */
const filled = (value: Json, kept: Kept): Json =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/"\{([\w-]+)\}"/g, (_, name: string) => JSON.stringify(kept[name])),
  ) as Json

test('every operation is performed as the description says', async () => {
  await using github = await startGitHub({ members: ['alice', 'bob'], people: ['carol'] })
  const app = github.app({ slug: 'helper', permissions: { administration: 'read' } })
  const jwt = jwtOf(app, github.clock.now())
  const kept: Record<string, string | number> = { installation: app.installation, app: jwt, owner: github.token() }
  const wrong: string[] = []
  for (const { by = 'owner', ask: line, body, status = 200, keep, shows } of steps) {
    const [method = '', path = ''] = line.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(kept[name])).split(' ')
    const answer = await asking(github, String(kept[by]))(method, path, body && filled(body, kept))
    if (keep !== undefined) kept[keep] = answer.body?.token ?? answer.body?.key_id ?? answer.body?.id
    if (answer.body?.key_id) kept['sealed'] = sealBox('x', Buffer.from(answer.body.key, 'base64'))
    if (answer.status !== status) wrong.push(`${line}: ${answer.status} ${JSON.stringify(answer.body)}`)
    else if (shows !== undefined) expect(answer.body, line).toMatchObject(filled(shows, kept) as object)
  }
  expect(wrong).toEqual([])
  expect([github.violations, github.ignored, github.mistakes]).toEqual([[], [], []])
  expect(operationIds.filter((id) => !github.performed.has(id))).toEqual([])
  expect(Object.keys(handlers).filter((id) => !operationIds.includes(id))).toEqual([])
})
