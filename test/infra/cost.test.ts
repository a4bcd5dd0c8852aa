import { Template } from 'aws-cdk-lib/assertions'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { billOf, type Counted, type Fleet, type Measured, standing } from '../bench/cost/bill.ts'
import { measure } from '../bench/cost/measure.ts'
import { synthesise } from '../builders/aws/template.ts'
import { long } from '../builders/long.ts'

const fleet: Fleet = {
  workspaces: 100,
  resources: 50,
  drift: 0,
  interval: 60,
  hanging: 0,
  latency: 200,
  memory: 1024,
  concurrency: 10,
  together: 1,
  sharing: 1,
  manager: 0,
}
const counted = (changes: Partial<Counted>): Counted => ({
  read: 0,
  written: 0,
  stored: 0,
  added: 0,
  asked: 0,
  waited: 0,
  ...changes,
})
const nothing: Measured = {
  check: counted({}),
  hangingCheck: counted({}),
  tick: counted({}),
  due: counted({}),
  watch: counted({}),
  watched: counted({}),
}
const moneyOf = (what: string, given: Partial<Fleet>, measured: Partial<Measured>): number =>
  billOf({ ...fleet, ...given }, { ...nothing, ...measured }).find((line) => line.what === what)?.money ?? Number.NaN

it('the fixed costs are those of the template', long, () => {
  const template = Template.fromStack(synthesise({ machines: undefined }).stack)
  const count = (type: string) => Object.keys(template.findResources(type)).length
  expect(standing).toMatchObject({ alarms: count('AWS::CloudWatch::Alarm'), keys: count('AWS::KMS::Key') })
  expect(standing).toMatchObject({ functions: 5, queues: count('AWS::Lambda::EventSourceMapping') })
})

describe('the estimated bill', () => {
  it.each<[string, Partial<Fleet>, Partial<Measured>, number]>([
    // 100 workspaces, 720 hours, 10 units at $0.625 a million.
    ['DynamoDB writes', {}, { check: counted({ written: 10 }) }, 0.45],
    ['DynamoDB writes', { interval: 30 }, { check: counted({ written: 10 }) }, 0.9],
    ['DynamoDB writes', { workspaces: 0, hanging: 100 }, { hangingCheck: counted({ written: 10 }) }, 0.45],
    // The same for each due workspace, and one unit in each minute of the month.
    ['DynamoDB writes', {}, { due: counted({ written: 10 }), tick: counted({ written: 1 }) }, 0.477],
    // 8,640 looks at 100 workspaces at $0.125 a million.
    ['DynamoDB reads', {}, { watched: counted({ read: 1 }) }, 0.108],
    // 72,000 checks of a minute at a gigabyte, and the begin of each.
    ['Lambda, check', {}, { check: counted({ waited: 59.95 }) }, 57.600288],
    ['Lambda, check', { memory: 512 }, { check: counted({ waited: 59.95 }) }, 28.800144],
    // Of ten checks that wait for a minute together, one minute is paid; they share the processor.
    ['Lambda, check', { together: 10 }, { check: counted({ waited: 59.95 }) }, 5.7600288],
    ['Lambda, check', { together: 10, latency: 0 }, { check: counted({ asked: 1000 }) }, 0.964804824],
    // One of them that hangs holds up the end of the invocation, and nothing is paid twice.
    [
      'Lambda, check',
      { workspaces: 0, hanging: 10, together: 10 },
      { hangingCheck: counted({ waited: 59.95 }) },
      0.57600288,
    ],
    // Each of 72,000 checks reads its secret.
    ['KMS, parameters read', {}, {}, 0.216],
    ['KMS, parameters read', { manager: 1 }, {}, 0],
    ['Secrets Manager, reads', { manager: 1 }, {}, 0.36],
    ['Secrets Manager, secrets', { manager: 1 }, {}, 40],
    // One container reads one secret every five minutes.
    ['KMS, parameters read', { sharing: 100 }, {}, 0.02592],
    ['CloudWatch metrics', { workspaces: 0 }, {}, 0.6],
    ['CloudWatch metrics', { workspaces: 1 }, {}, 1.2],
    ['CloudWatch alarms', { workspaces: 10_000 }, {}, 2.7],
  ])('is right for %s of %j and %j', (what, given, measured, expected) => {
    expect(moneyOf(what, given, measured)).toBeCloseTo(expected, 6)
  })

  it('grows only with the fleet, and in proportion to it', () => {
    const measured = { ...nothing, check: counted({ read: 3, written: 5, stored: 4, added: 900, asked: 50 }) }
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 2, max: 9 }), (workspaces, times) => {
        // There are checks in all of them: the first one brings metrics, and further ones none.
        const some = { ...fleet, hanging: 1 }
        const once = billOf({ ...some, workspaces }, measured)
        const often = billOf({ ...some, workspaces: workspaces * times }, measured)
        const none = billOf({ ...some, workspaces: 0 }, measured)
        for (const [index, line] of often.entries()) {
          const [one = 0, zero = 0] = [once[index]?.money, none[index]?.money]
          expect(line.money - zero).toBeCloseTo((one - zero) * times, 6)
          if (!line.moves) expect(line.money).toBe(one)
        }
      }),
    )
  })
})

it('includes the requests of a check to its target, and the time of a silent target', async () => {
  const { check, hangingCheck, due } = await measure({ ...fleet, resources: 20, hanging: 1 })
  expect(check).toMatchObject({ asked: 20, written: 8 })
  expect(hangingCheck.waited).toBeGreaterThan(20)
  expect(hangingCheck.waited).toBeLessThan(120)
  expect(due.written).toBe(7)
})
