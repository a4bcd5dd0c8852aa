import { expect, it } from 'vitest'
import type { ProbeReport } from '../../../core/engine/schema/reports/probe-report.ts'
import { renderAccept } from '../../../core/pages/render/plain/authoring/render-accept.ts'
import { renderProbe } from '../../../core/pages/render/plain/authoring/render-probe.ts'

const report = {
  workspace: 'acme',
  accepted: [],
  refused: [],
  left: [],
  files: [{ file: 'plumbline.yaml', diff: '--- plumbline.yaml\n+++ plumbline.yaml\n@@ -1 +1 @@\n-a: 1\n+a: 2\n' }],
}
const colour = '\u001b['

const position = { file: 'plumbline.yaml', line: 4, column: 1 }
const accepted = [{ address: 't.a', path: 'size', position }]

it('an accept says that it accepted what was written, and nothing else', () => {
  expect(renderAccept({ ...report, accepted }, { isWritten: true })).toBe(
    'accepted  t.a size  plumbline.yaml:4\n1 difference accepted, 0 refused\n',
  )
  expect(renderAccept({ ...report, accepted })).toBe(
    'can be accepted  t.a size  plumbline.yaml:4\n1 difference can be accepted, 0 refused\n',
  )
})

it('an accept is shown with colours only where they are asked for', () => {
  expect(renderAccept(report)).not.toContain(colour)
  expect(renderAccept(report, { color: true })).toContain(colour)
})

it.each<[string, Partial<ProbeReport>]>([
  ['as described', {}],
  ['as described, as far as it was probed', { skipped: [{ type: 't', detail: 'it is a parent' }] }],
  ['as described, as far as it was probed', { interrupted: true }],
  ['nothing probed', { made: [], skipped: [{ type: 't', detail: 'it cannot be deleted' }] }],
  ['nothing probed', { made: [] }],
])('a probe says %s of what it tried', (said, found) => {
  const made = [{ type: 't', identity: { name: 'a' } }]
  const probed = { document: 'api.yaml', findings: [], locks: [], skipped: [], made, left: [], interrupted: false }
  expect(renderProbe({ ...probed, ...found })).toContain(`${said}  api.yaml`)
})
