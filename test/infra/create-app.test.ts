import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createApp } from '../../infra/create-app.ts'

interface Flag {
  readonly userValue?: unknown
  readonly recommendedValue: unknown
  readonly unconfiguredBehavesLike?: { readonly v2?: unknown }
}

interface AssemblyManifest {
  readonly artifacts: Readonly<
    Record<string, { readonly type: string; readonly properties?: { readonly flags?: Readonly<Record<string, Flag>> } }>
  >
}

it('no behaviour of the CDK is left open, so that a synthesis says nothing about them', () => {
  const { directory } = createApp().synth()
  const { artifacts } = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as AssemblyManifest
  const [report] = Object.values(artifacts).filter(({ type }) => type === 'cdk:feature-flag-report')
  const flags = Object.entries(report?.properties?.flags ?? {})
  expect(flags.length).toBeGreaterThan(80)
  const open = flags.filter(
    ([, { userValue, recommendedValue, unconfiguredBehavesLike }]) =>
      userValue === undefined && (unconfiguredBehavesLike?.v2 ?? false) !== recommendedValue,
  )
  expect(open.map(([name]) => name)).toEqual([])
})

it('the context of the caller is kept', () => {
  expect(createApp({ plumbline: { stage: 'x' } }).node.tryGetContext('plumbline')).toEqual({ stage: 'x' })
})
