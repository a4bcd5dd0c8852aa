import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestApply } from '../../../core/engine/workflows/apply/request-apply.ts'
import { runApply } from '../../../core/engine/workflows/apply/run-apply.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { lawRuns } from '../../builders/laws.ts'
import { startServer } from '../../builders/servers/loopback.ts'
import { actor, testDeps, yaml } from '../../builders/workspaces/workspace.ts'

const provider = `
provider: { id: big, with: { baseUrl: {} }, baseUrl: "{with.baseUrl}" }
resources:
  big_thing:
    operations:
      retrieve: { method: GET, path: "/things/{name}" }
      create: { method: PUT, path: "/things/{name}" }
      update: { method: PATCH, path: "/things/{name}" }
      delete: { method: DELETE, path: "/things/{name}" }
    identity: { keys: [name] }
    lookup: { retrieve: true }
    parts:
      - name: main
        read: retrieve
        write: { op: update, send: full }
        attributes:
          name: { in: path }
          size: { type: number }
          milli: { type: number, scale: 1000 }
          text: {}
          open: { type: any }
          set: { type: set, element: { type: number } }
          map: { type: map, element: { type: number } }
`

/** A server that gives back the bytes that it was sent. */
const aKeeper = async (kept?: string) => {
  const bodies: string[] = []
  const server = await startServer(({ method, body }, response) => {
    if (method !== 'GET') bodies.push(body)
    const text = bodies.at(-1) ?? kept
    response.writeHead(text === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(text ?? '{}')
  })
  return { ...server, bodies }
}

const files = {
  'big.yaml': provider,
  'modules/part/module.yaml': `
parameters: { n: { type: number } }
resources:
  - type: big_thing
    name: one
    spec:
      name: one
      size: "\${var.n}"
      milli: "\${var.n}"
      text: "n-\${var.n}"
      open: { deep: ["\${var.n}", { inner: "\${var.n}" }] }
      set: [1, "\${var.n}"]
      map: { a: "\${var.n}" }
`,
}

const workspaceOf = (url: string, digits: string, form: 'default' | 'with' | 'spec'): string => {
  const head = `workspace: big\nproviders: { big: { source: rest, definition: ./big.yaml, with: { baseUrl: "${url}" } } }\n`
  if (form === 'spec')
    return `${head}resources:\n  - type: big_thing\n    name: one\n    spec: { name: one, size: ${digits}, milli: ${digits}, text: "n-${digits}", open: { deep: [${digits}, { inner: ${digits} }] }, set: [1, ${digits}], map: { a: ${digits} } }\n`
  const variable = form === 'default' ? `variables: { n: { type: number, default: ${digits} } }\n` : ''
  return `${head}${variable}modules: [{ name: m, source: ./modules/part, with: { n: ${form === 'default' ? '"${var.n}"' : digits} } }]\n`
}

const bodyOf = (digits: string): string =>
  `{"size":${digits},"milli":${BigInt(digits) * 1000n},"text":"n-${digits}","open":{"deep":[${digits},{"inner":${digits}}]},"set":[1,${digits}],"map":{"a":${digits}}}`

const sorted = (body: string): string => body.replace(/\[1,(-\d+)\]/, '[$1,1]')

const large = fc
  .tuple(
    // JavaScript holds powers of two exactly, so an answer with one of them has it as a number.
    fc.oneof(
      fc.bigInt({ min: 2n ** 53n, max: 10n ** 60n }),
      fc.integer({ min: 53, max: 190 }).map((bits) => 2n ** BigInt(bits)),
    ),
    fc.boolean(),
  )
  .map(([size, isNegative]) => String(isNegative ? -size : size))

test('an integer of a configuration is sent with all its digits, and is in sync with what the server keeps', async () => {
  await fc.assert(
    fc.asyncProperty(large, fc.constantFrom('default', 'with', 'spec'), fc.boolean(), async (digits, form, exists) => {
      await using api = await aKeeper(exists ? bodyOf(String(BigInt(digits) + 1n)) : undefined)
      const { deps } = testDeps({ bundle: yaml(workspaceOf(api.url, digits, form), files) })
      const check = () => checkWorkspace({ workspace: 'big', trigger: 'cli', actor }, deps)
      const { run } = await check()
      const digest = run.digests?.commands ?? ''
      const { id } = await requestApply({ workspace: 'big', mode: 'execute', digest, reason: 'size', actor }, deps)
      await runApply({ workspace: 'big', applyId: id }, deps)
      expect(api.bodies.map(sorted)).toEqual([sorted(bodyOf(digits))])
      const again = await check()
      expect(again.plan?.changes.map(({ diff }) => diff)).toEqual([])
    }),
    {
      ...lawRuns(12),
      // The neighbours of 2^53, of which JavaScript holds one of two.
      examples: [
        ['9007199254740992', 'spec', true],
        ['9007199254740993', 'default', true],
        ['9007199254740994', 'with', false],
      ],
    },
  )
})
