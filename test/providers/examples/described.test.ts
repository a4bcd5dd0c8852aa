import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkProvider } from '../../../core/tools/authoring/check-provider.ts'
import { eachOf } from '../../builders/long.ts'
import { describedOperations } from '../../builders/waldur/described.ts'
import { documentOperations } from '../../builders/waldur/document-operations.ts'

const read = (path: string) => ({
  name: path,
  text: readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'),
})

describe('the documents of the examples', () => {
  it.each(['dataiku', 'waldur', 'powerdns', 'rabbitmq'])('include %s, which is valid', (example) => {
    expect(checkProvider(read(`examples/${example}/${example}.provider.yaml`)).findings).toEqual([])
  })

  it('agree in waldur with the published description', () => {
    const report = checkProvider(
      read('examples/waldur/waldur.provider.yaml'),
      read('test/fixtures/waldur-openapi.yaml'),
    )
    expect(report.notes).toEqual([])
    // A group that is there already may leave its rules to others.
    expect(report.findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/create_security_group.* requires "rules", but the attribute is optional here/),
    ])
    expect(report.uncompared).toEqual([])
  })

  it('use in waldur exactly the described operations, with those of its resolvers', () => {
    expect(documentOperations()).toEqual(describedOperations.toSorted())
  })

  eachOf(
    it,
    1,
  )<[string, string, string, string]>([
    [
      'an id of another collection',
      'uuid: resource_uuid, marketplaceUuid',
      'uuid: instance, marketplaceUuid',
      'has no "instance"',
    ],
    [
      'what an item must not hold',
      'whereNot: { state: Terminated }',
      'whereNot: { phase: Terminated }',
      'has no "phase"',
    ],
    ['a state that nothing has', 'ok: [OK]', 'ok: [Ready]', '"Ready"'],
    [
      'a filter that the list does not know',
      'customer: "{refs.customer.uuid?}"',
      'owner: "{refs.customer.uuid?}"',
      'owner',
    ],
    ['a call that is not there', '/set_rules/', '/rules/', 'no path /openstack-security-groups/{uuid}/rules/'],
    ['a member that is not answered', 'path: flavor_name', 'path: flavor', 'flavor'],
  ])('are found to disagree about %s where waldur is changed', (_what, right, wrong, words) => {
    const { name, text } = read('examples/waldur/waldur.provider.yaml')
    expect(text).toContain(right)
    const report = checkProvider({ name, text: text.replace(right, wrong) }, read('test/fixtures/waldur-openapi.yaml'))
    expect(report.findings.map(({ message }) => message).join('\n')).toContain(words)
  })
})
