import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadWorkspace } from '../../../core/engine/workflows/session/load/load-workspace.ts'
import { providers } from '../../../core/providers/index.ts'

const page = readFileSync(new URL('../../../docs/machine-provider.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)

const around = (text: string): string =>
  text.includes('providers:')
    ? text
    : `workspace: docs\nproviders: { machine: { source: machine, with: { home: /home/me, npmPrefix: /home/me/npm } } }\n${text}`

it('the page has an example of every type', () => {
  const reference = readFileSync(new URL('../../../docs/machine-reference.md', import.meta.url), 'utf8')
  const types = [...reference.matchAll(/^## (\w+)$/gm)].map(([, name]) => name ?? '')
  expect(types.length).toBeGreaterThan(10)
  for (const type of types)
    expect(
      examples.some((text) => text.includes(`type: ${type}`)),
      type,
    ).toBe(true)
})

it.each(examples)('an example of the documentation is a valid configuration: %s', (text) => {
  const bundle = { entry: 'plumbline.yaml', files: { 'plumbline.yaml': around(text) } }
  const { configuration } = loadWorkspace(bundle, providers)
  expect(configuration.resources.length).toBeGreaterThan(0)
})
