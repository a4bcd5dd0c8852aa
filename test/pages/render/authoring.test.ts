import { expect, it } from 'vitest'
import { renderAccept } from '../../../core/pages/render/plain/authoring/render-accept.ts'

const report = {
  workspace: 'acme',
  accepted: [],
  refused: [],
  left: [],
  files: [{ file: 'plumbline.yaml', diff: '--- plumbline.yaml\n+++ plumbline.yaml\n@@ -1 +1 @@\n-a: 1\n+a: 2\n' }],
}
const colour = '\u001b['

it('an accept is shown with colours only where they are asked for', () => {
  expect(renderAccept(report)).not.toContain(colour)
  expect(renderAccept(report, { color: true })).toContain(colour)
})
