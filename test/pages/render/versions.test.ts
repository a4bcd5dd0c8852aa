import { expect, it } from 'vitest'
import type { Version } from '../../../core/engine/schema/stored/versions.ts'
import { renderVersionDiff } from '../../../core/pages/render/plain/render-versions.ts'

const version = (n: number): Version => ({
  version: n,
  at: '2026-11-21T06:00:00.000Z',
  by: { subject: 'alice@example.org', via: 'api', issuer: 'https://id.example' },
  digest: `sha256:${String(n).repeat(64)}`,
})

it('each problem of a version that is not valid any more has a line', () => {
  const detail =
    'the configuration has 2 problems:\n  plumbline.yaml:6:3: no\u001b[2J root\n  plumbline.yaml:9:5: no name'
  const shown = renderVersionDiff({
    workspace: 'acme',
    from: version(1),
    to: version(2),
    resources: [],
    variables: [],
    files: [{ file: 'plumbline.yaml', kind: 'changed' }],
    unreadable: [{ version: 1, detail }],
  })
  expect(shown).toBe(`acme: version 1 to 2
version 1 is not valid any more, so no text is shown: the configuration has 2 problems:
  plumbline.yaml:6:3: no\\u001b[2J root
  plumbline.yaml:9:5: no name
~ plumbline.yaml
`)
})
