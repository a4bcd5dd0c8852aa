import { expect, test } from 'vitest'
import type { Run } from '../../../core/engine/schema/stored/records.ts'
import { createDevView } from '../../../functions/dev/view.ts'
import { aCommand } from '../../builders/values/commands.ts'
import { aPlan } from '../../builders/values/plans.ts'
import { aRun } from '../../builders/values/records.ts'

const view = createDevView({ invocation: 'npx plumbline', color: false, width: 100, url: 'http://127.0.0.1:8787' })

const started = {
  version: '1.0.0',
  workspace: 'tea-room',
  configuration: 'plumbline.yaml',
  checks: 'every 5 s',
  page: 'http://127.0.0.1:8787/sign-in/key',
  hasPage: true,
  url: 'http://127.0.0.1:8787',
  token: 'head.body.signature',
  lifetime: '12h',
  store: '.plumbline',
  edit: 'machine/motd',
}

test('a link to a page that nobody has built says how to build it', () => {
  expect(view.started(started)).toMatch(/sign-in\/key {2}signs in one browser$/m)
  expect(view.started({ ...started, hasPage: false })).toMatch(/sign-in\/key {2}is not built yet: npm run build/)
})

test('the token is at the end of its line, so that the whole line can be pasted into a shell', () => {
  const text = view.started(started)
  expect(text).toMatch(/export PLUMBLINE_TOKEN=head\.body\.signature$/m)
  expect(text).toContain('12h')
})

test('a drift is told once: an alert is one line, and the check ends with the line to paste, as it is called here', async () => {
  expect(view.alerted('[medium] acme-dns differs').trim().split('\n')).toHaveLength(1)
  const plan = aPlan({ inSync: false, commands: [aCommand('acme.a#1')] })
  const run: Run = { ...aRun(1, plan), workspace: plan.workspace, status: 'changes' }
  const text = await view.checked(run, plan)
  expect(text.trimEnd().split('\n').at(-1)).toMatch(/^ {4}npx plumbline apply acme-dns --digest sha256:\S+$/)
  expect(text).toContain('by HTTP, send them')
  const refused = await view.checked(run, { ...plan, refused: 'too many' })
  expect(refused).not.toMatch(/curl|--digest/)
})
