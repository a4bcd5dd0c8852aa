import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Template } from 'aws-cdk-lib/assertions'
import { expect, it } from 'vitest'
import { handlers } from '../../infra/handlers.ts'
import { plainBundles } from '../builders/aws/plain-bundles.ts'
import { synthesise } from '../builders/aws/template.ts'

const { app, stack } = synthesise({ tracing: true })
const template = Template.fromStack(stack)

it('Lambda traces each function, which may put segments and nothing else on all resources', () => {
  template.resourcePropertiesCountIs('AWS::Lambda::Function', { TracingConfig: { Mode: 'Active' } }, handlers.length)
  const onAll = Object.values(template.findResources('AWS::IAM::Policy'))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
    .filter(({ Resource }) => Resource === '*')
  expect(onAll).toHaveLength(handlers.length)
  for (const { Action } of onAll) expect(Action).toEqual(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'])
})

it('passes the rules of AWS Solutions, and is off without the setting', () => {
  expect(() => app.synth()).not.toThrow()
  expect(JSON.stringify(Template.fromStack(synthesise().stack).toJSON())).not.toMatch(/TracingConfig|xray/)
})

it('no function contains a library that could add something to a segment', async () => {
  const { folder } = await plainBundles()
  for (const name of handlers) {
    const contents = readFileSync(join(folder, name, 'sbom.cdx.json'), 'utf8')
    expect(contents).toContain('@middy/core')
    expect(contents).not.toMatch(/xray|tracer|opentelemetry/i)
  }
})

it('the setting is refused with the place and the value', () => {
  expect(() => synthesise({ tracing: 'active' })).toThrow('tracing "active": ')
})
