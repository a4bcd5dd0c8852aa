import { describe, expect, it } from 'vitest'
import { refusal } from '../../../../core/engine/plan/policy.ts'
import type { Path } from '../../../../core/engine/schema/json.ts'
import type { Policy } from '../../../../core/engine/schema/rules.ts'
import type { Change } from '../../../../core/engine/schema/stored/plan.ts'
import { selectTargets } from '../../../../core/engine/workflows/apply/approved/select-targets.ts'
import { aCommand } from '../../../builders/values/commands.ts'
import { aPlan } from '../../../builders/values/plans.ts'
import { aChange } from '../../../builders/values/records.ts'

const commands = [
  aCommand('vhost.shop#1'),
  aCommand('queue.orders#1', { dependsOn: ['vhost.shop#1'] }),
  aCommand('binding.orders#1', { dependsOn: ['queue.orders#1'], grade: 'lossy' }),
  aCommand('vhost.lab#1', { grade: 'irreversible' }),
]

describe('the choice of commands by targets', () => {
  const cases: [string[], string[]][] = [
    [[], ['vhost.shop#1', 'queue.orders#1', 'binding.orders#1', 'vhost.lab#1']],
    [['vhost.shop'], ['vhost.shop#1']],
    [['binding.orders'], ['vhost.shop#1', 'queue.orders#1', 'binding.orders#1']],
    [
      ['vhost.lab', 'queue.orders'],
      ['vhost.shop#1', 'queue.orders#1', 'vhost.lab#1'],
    ],
  ]
  it.each(cases)('takes for %j the commands %j', (targets, expected) => {
    expect(selectTargets(aPlan({ commands }), { targets }).map(({ id }) => id)).toEqual(expected)
  })
  it('names a target that is not in the plan', () => {
    expect(() => selectTargets(aPlan({ commands }), { targets: ['vhost.shop', 'vhost.shp'] })).toThrow(
      'the plan has no commands for "vhost.shp"',
    )
  })
})

describe('the refusal of an apply', () => {
  const cases: [Policy, string | undefined][] = [
    [{}, undefined],
    [{ maxChanges: 4 }, undefined],
    [{ maxChanges: 3 }, '4 commands are more than maxChanges 3'],
    [{ allowGrades: ['reversible', 'lossy', 'irreversible'] }, undefined],
    [{ allowGrades: ['reversible'] }, 'binding.orders#1 is lossy, and allowGrades has reversible'],
    [{ allowGrades: [] }, 'vhost.shop#1 is reversible, and allowGrades has nothing'],
  ]
  it.each(cases)('for %j is %s', (policy, expected) => {
    expect(refusal(commands, [], policy)).toBe(expected)
  })

  const widening = (address: string, path: Path = ['open']) =>
    aChange(address, { causes: [{ path, cause: 'pending', access: 'widens' }] })
  it.each<[string, Change[], Policy, string | undefined]>([
    ['allows it without a rule', [widening('vhost.shop')], {}, undefined],
    ['allows it', [widening('vhost.shop')], { allowWidening: true }, undefined],
    [
      'refuses it',
      [aChange('queue.orders'), widening('vhost.shop')],
      { allowWidening: false },
      'the change of vhost.shop gives more access at open, and allowWidening is false',
    ],
    [
      'refuses an object that gives access',
      [widening('vhost.shop', [])],
      { allowWidening: false },
      'the change of vhost.shop gives more access, and allowWidening is false',
    ],
    ['allows what is not sent', [widening('vhost.other')], { allowWidening: false }, undefined],
  ])('because of wider access %s', (_, changes, policy, expected) => {
    expect(refusal(commands, changes, policy)).toBe(expected)
  })
})
