import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { loadConfiguration } from '../../../core/engine/config/load.ts'
import { workspaceId } from '../../../core/engine/schema/stored/records.ts'
import { baseIn, previewNames } from '../../../core/engine/values/preview-names.ts'

const text = `workspace: acme-dns
variables: { note: { type: string, default: plain } }
providers: { dns: { source: rest, with: { baseUrl: "http://\${var.note}" } } }
resources:
  - { type: pdns_zone, name: main, spec: { name: acme.example., note: "\${var.note}" } }
  - { type: pdns_zone, name: each, forEach: [a], spec: { name: "\${each.key}.\${resource.pdns_zone.main.name}" } }
`

const load = (overlay: string, branch = 'feature/login') =>
  loadConfiguration({
    entry: 'plumbline.yaml',
    files: { 'plumbline.yaml': text, 'plumbline.preview.yaml': overlay },
    preview: { branch, overlay: 'plumbline.preview.yaml' },
  })

describe('the names of a preview', () => {
  it.each([
    ['login', 'login'],
    ['feature/login', 'feature-login-df7c7aeb'],
    ['Login', 'login-'],
    ['a--b', 'a-b-'],
    ['feature-login-df7c7aeb', 'feature-login-df7c7aeb-'],
    ['\u65e5\u672c', ''],
    ['x'.repeat(33), 'x'.repeat(23)],
  ])('makes a short, safe name from the branch %s', (branch, start) => {
    const { slug, key } = previewNames('acme', branch)
    expect(slug.startsWith(start)).toBe(true)
    expect(slug.length).toBeLessThanOrEqual(32)
    expect(key).toMatch(/^[A-Z0-9_]+$/)
  })

  it('are names of workspaces, different for every branch, from which the base can be told', () => {
    const base = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,48}$/)
    fc.assert(
      fc.property(base, fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (of, one, other) => {
        const first = previewNames(of, one)
        expect(workspaceId.safeParse(first.id).success).toBe(true)
        expect(baseIn(first.id)).toBe(of)
        expect(first.id === previewNames(of, other).id).toBe(one === other)
        // Nor is the slug of one branch that of the branch which is called like this.
        expect(first.id === previewNames(of, first.slug).id).toBe(first.slug === one)
      }),
    )
  })
})

test('a preview changes what the example of the documentation says', () => {
  const page = readFileSync(new URL('../../../docs/preview.md', import.meta.url), 'utf8')
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const loaded = load(example)
  expect(loaded.ok && loaded.configuration).toMatchObject({
    workspace: 'acme-dns--feature-login-df7c7aeb',
    preview: { base: 'acme-dns', branch: 'feature/login', expiresMs: 3 * 86_400_000 },
    resources: [
      { attributes: { name: 'feature-login-df7c7aeb.acme.example.', note: 'plain, branch feature/login' } },
      // The reference has the new name, and the entry covers this one too.
      { attributes: { name: 'feature-login-df7c7aeb.a.feature-login-df7c7aeb.acme.example.' } },
    ],
  })
})

it('a text of an overlay is filled in once, and inserted text is not read as a reference', () => {
  const overlay =
    'variables: { note: "${branch} $${x}" }\nproviders: { dns: { with: { baseUrl: "${branch}+${value}" } } }\n'
  const loaded = load(overlay, '${var.note}')
  expect(loaded.ok && loaded.configuration.providers[0]?.with).toEqual({
    baseUrl: '${var.note}+http://${var.note} ${x}',
  })
})

it('values from outside are stored as they were before the overlay, which is applied again at each load', () => {
  const loaded = loadConfiguration({
    entry: 'plumbline.yaml',
    files: { 'plumbline.yaml': text, 'p.yaml': 'variables: { note: "x-${value}" }\n' },
    variables: { note: 'given' },
    preview: { branch: 'b', overlay: 'p.yaml' },
  })
  expect(loaded.ok && [loaded.configuration.given, loaded.configuration.resources[0]?.attributes]).toEqual([
    { note: 'given' },
    { name: 'acme.example.', note: 'x-given' },
  ])
})

it.each([
  ['p.txt', /none of YAML, JSON and Jsonnet/],
  ['/p.yaml', /outside the folder/],
  ['../p.yaml', /there is no overlay ..\/p.yaml/],
  ['none.yaml', /there is no overlay none.yaml/],
])('refuses the overlay %s', (overlay, message) => {
  const loaded = loadConfiguration({
    entry: 'plumbline.yaml',
    files: { 'plumbline.yaml': text, 'p.txt': '' },
    preview: { branch: 'b', overlay },
  })
  expect(loaded.ok ? 'loaded' : loaded.issues[0]?.message).toMatch(message)
})

it('refuses a long workspace name at its place', () => {
  const long = text.replace('acme-dns', 'a'.repeat(50))
  const loaded = loadConfiguration({
    entry: 'plumbline.yaml',
    files: { 'plumbline.yaml': long, 'p.yaml': '{}\n' },
    preview: { branch: 'b', overlay: 'p.yaml' },
  })
  expect(loaded.ok ? [] : loaded.issues).toMatchObject([{ file: 'plumbline.yaml', line: 1, code: 'longBase' }])
})
