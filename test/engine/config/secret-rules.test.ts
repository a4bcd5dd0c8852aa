import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../core/engine/errors/errors.ts'
import { confined } from '../../../core/engine/transport/secrets/secrets.ts'
import { type SecretRules, whySecretRefused } from '../../../core/engine/values/secret-source.ts'
import { checkWorkspace } from '../../../core/engine/workflows/check/check-workspace.ts'
import { putWorkspace } from '../../../core/engine/workflows/workspace/put-workspace.ts'
import { testDeps, yaml } from '../../builders/workspaces/workspace.ts'

const rules: SecretRules = {
  kinds: ['ssm', 'secretsmanager'],
  names: ['plumbline/{workspace}/*', 'plumbline/shared/*', 'plumbline/proxy'],
}
const actor = { subject: 'ada', via: 'api' } as const
const word = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,10}$/)
const kind = fc.constantFrom('ssm:/', 'ssm:', 'secretsmanager:')

describe('what a workspace may read', () => {
  it.each([
    'ssm:/plumbline/acme/key',
    'ssm:plumbline/acme/key',
    'ssm:/plumbline/acme/key:3',
    'secretsmanager:plumbline/acme/dns#apiKey',
    'secretsmanager:plumbline/acme/a/b/c',
    'secretsmanager:plumbline/shared/proxy',
    'ssm:/plumbline/proxy',
  ])('includes %s', (source) => expect(whySecretRefused(source, 'acme', rules)).toBeUndefined())

  it.each([
    'env:AWS_SECRET_ACCESS_KEY',
    'env:AWS_SESSION_TOKEN',
    'file:/proc/self/environ',
    'file:/var/run/secrets/token',
    'vault:plumbline/acme/key',
    'plumbline/acme/key',
    'SSM:/plumbline/acme/key',
    ' ssm:/plumbline/acme/key',
    'ssm: /plumbline/acme/key',
    'ssm://plumbline/acme/key',
    'ssm:/plumbline/acme-dns/key',
    'ssm:/plumbline/acme',
    'ssm:/plumbline/acme/',
    'ssm:/plumbline/beta/key',
    'ssm:/plumbline/proxy-2',
    'ssm:/plumbline/Acme/key',
    'ssm:/plumbline//acme/key',
    'ssm:/x/plumbline/acme/key',
    'ssm:/aws/reference/secretsmanager/plumbline/acme/key',
    'ssm:arn:aws:ssm:eu-central-1:123456789012:parameter/plumbline/acme/key',
    'secretsmanager:arn:aws:secretsmanager:eu-central-1:123456789012:secret:plumbline/acme/key-AbCdEf',
    'secretsmanager:/plumbline/acme/key',
    'secretsmanager:plumbline-SealKey',
    'secretsmanager:plumbline/{workspace}/key',
    'secretsmanager:#plumbline/acme/key',
    'ssm:#x',
  ])('does not include %s', (source) =>
    expect(whySecretRefused(source, 'acme', rules)).toMatchObject({ fix: expect.any(String) }),
  )

  it('includes no secret of another workspace, however similar their names are', () => {
    void fc.assert(
      fc.property(kind, word, word, word, (prefix, own, other, name) => {
        fc.pre(own !== other && other !== 'shared')
        const source = `${prefix}plumbline/${other}/${name}`
        expect(whySecretRefused(source, own, rules)).toBeDefined()
        expect(whySecretRefused(source, other, rules) === undefined).toBe(true)
      }),
    )
  })

  it('includes nothing where no rule is set', () => {
    void fc.assert(
      fc.property(kind, fc.string(), word, (prefix, name, workspace) => {
        expect(whySecretRefused(`${prefix}${name}`, workspace, { ...rules, names: [] })).toBeDefined()
      }),
    )
  })
})

describe('a configuration that names a forbidden secret', () => {
  const bundleOf = (secret: string) =>
    yaml(
      [
        'workspace: acme',
        'variables:',
        `  password: { type: string, default: { secret: "${secret}" } }`,
        '  name: { type: string, default: "beta/key" }',
        'providers:',
        '  files:',
        '    source: host',
        '    with:',
        '      root: .',
        `      extra: { secret: "${secret}" }`,
        '      built: { secret: "ssm:/plumbline/${var.name}" }',
        'resources:',
        `  - { type: host_file, name: a, spec: { path: a, content: { secret: "${secret}" } } }`,
      ].join('\n'),
    )

  it.each(['env:HOME', 'file:/etc/passwd', 'ssm:/plumbline/beta/key'])(
    'is refused with each place of %s',
    async (secret) => {
      const { deps } = testDeps({ secretRules: rules })
      const refused = await putWorkspace({ bundle: bundleOf(secret), actor }, deps).catch((error: unknown) => error)
      const issues = (refused as AppError<'CONFIG_INVALID'>).payload.issues
      const places = issues.filter(({ message }) => /secret/.test(message) || /where checks run/.test(message))
      expect(places.map(({ file, line }) => [file, line])).toEqual(
        [3, 10, 11, 13].map((line) => ['plumbline.yaml', line]),
      )
      expect((await deps.store.query({ pk: 'DIR' })).items).toEqual([])
    },
  )

  it('is refused again when it is loaded for a check, before any secret is read', async () => {
    const asked: string[] = []
    const bundle = yaml(
      'workspace: acme\nproviders: { files: { source: host, with: { root: "." } } }\nresources:\n  - { type: host_file, name: a, spec: { path: a, content: { secret: "env:AWS_SESSION_TOKEN" } } }',
    )
    const secrets = { resolve: async (source: string) => String(asked.push(source)) }
    const { deps } = testDeps({ bundle, secrets, secretRules: rules })
    const { run } = await checkWorkspace({ workspace: 'acme', trigger: 'schedule', actor }, deps)
    expect(run).toMatchObject({ status: 'failed', error: { code: 'CONFIG_INVALID' } })
    expect(run.error?.message).toMatch(/plumbline\.yaml:4:\d+: where checks run there is no `env:`/)
    expect(asked).toEqual([])
  })
})

it('cannot reach that secret: the last step before a read refuses it, whoever asks', async () => {
  const asked: string[] = []
  const secrets = confined({ resolve: async (source) => String(asked.push(source)) }, 'acme', rules)
  expect(await secrets.resolve('ssm:/plumbline/acme/key')).toBe('1')
  for (const source of ['env:HOME', 'ssm:/plumbline/beta/key', 'live:a#/b'])
    await expect(secrets.resolve(source)).rejects.toMatchObject({ code: 'SECRET_UNRESOLVED', payload: { source } })
  expect(asked).toEqual(['ssm:/plumbline/acme/key'])
})
