import { expect, test } from 'vitest'
import { createDevView } from '../../../functions/dev/view.ts'

const view = createDevView({ invocation: 'npx plumbline', color: false, width: 100, url: 'http://127.0.0.1:8787' })

test('the token is at the end of its line, so that the whole line can be pasted into a shell', () => {
  const text = view.started({
    version: '1.0.0',
    workspace: 'tea-room',
    configuration: 'plumbline.yaml',
    checks: 'every 5 s',
    url: 'http://127.0.0.1:8787',
    token: 'head.body.signature',
    lifetime: '12h',
    store: '.plumbline',
    edit: 'machine/motd',
  })
  expect(text).toMatch(/export PLUMBLINE_TOKEN=head\.body\.signature$/m)
  expect(text).toContain('12h')
})

test('every command of an alert is written as it is called in this folder', () => {
  const alert =
    'To see it:\n\n  plumbline show 01RUN --workspace a\n\nTo apply it:\n\n  plumbline apply a --digest sha256:0\n'
  const text = view.alerted('[medium] a differs', alert)
  expect(text).toContain('  npx plumbline show 01RUN')
  expect(text).toContain('  npx plumbline apply a')
})
