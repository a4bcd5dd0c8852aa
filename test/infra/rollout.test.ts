import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { synthesise } from '../builders/aws/template.ts'

const { app, stack } = synthesise({ rollout: 'canary' })
const template = Template.fromStack(stack)
const all = (type: string) => Object.entries(template.findResources(type))
const names = ['Apply', 'Api', 'Check', 'Schedule'].toSorted()
const aliases = all('AWS::Lambda::Alias')
const nameIn = (id: string) => /Rollout([A-Z][a-z]+)(?:Live|Group|Fails)/.exec(id)?.[1]

describe('a rollout', () => {
  it('gives each function that takes calls an alias, which CodeDeploy moves bit by bit', () => {
    expect(aliases.map(([id]) => nameIn(id)).toSorted()).toEqual(names)
    for (const [id, { UpdatePolicy }] of aliases) {
      const { DeploymentGroupName } = UpdatePolicy.CodeDeployLambdaAliasUpdate
      expect(nameIn(DeploymentGroupName.Ref)).toBe(nameIn(id))
    }
    const groups = all('AWS::CodeDeploy::DeploymentGroup')
    expect(groups).toHaveLength(names.length)
    for (const [, { Properties }] of groups)
      expect(Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent15Minutes')
  })

  it('is taken back on an alarm about the errors of this alias', () => {
    for (const [id, { Properties }] of all('AWS::CodeDeploy::DeploymentGroup')) {
      expect(Properties.AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM']) as string[],
      })
      const [alarm] = Properties.AlarmConfiguration.Alarms as readonly { Name: { Ref: string } }[]
      const { MetricName, Dimensions } = template.toJSON()['Resources'][alarm?.Name.Ref ?? ''].Properties
      expect(MetricName).toBe('Errors')
      const about = JSON.stringify(Dimensions)
      expect(about).toContain(':live')
      expect(about).toContain(nameIn(id))
    }
  })

  it('reaches every caller: the queues, the schedule and the API call the alias', () => {
    const called = [
      ...all('AWS::Lambda::EventSourceMapping').map(([, { Properties }]) => Properties.FunctionName),
      ...all('AWS::Scheduler::Schedule').map(([, { Properties }]) => Properties.Target.Arn),
      ...all('AWS::ApiGatewayV2::Integration').map(([, { Properties }]) => Properties.IntegrationUri),
    ].map((each) => JSON.stringify(each))
    expect(called.length).toBeGreaterThan(4)
    for (const each of called) expect(each).toMatch(/Rollout[A-Za-z]+Live/)
    const scheduler = all('AWS::IAM::Policy').filter(([id]) => id.includes('TickRole'))
    expect(JSON.stringify(scheduler)).toContain('RolloutScheduleLive')
  })

  it('passes the rules of AWS Solutions, and is off without the setting', () => {
    expect(() => app.synth()).not.toThrow()
    expect(JSON.stringify(Template.fromStack(synthesise().stack).toJSON())).not.toMatch(/CodeDeploy|Lambda::Alias/)
  })

  it('the setting is refused with the place and the value', () => {
    expect(() => synthesise({ rollout: 'blue' })).toThrow('rollout "blue": ')
  })
})
