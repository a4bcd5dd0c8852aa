import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAppError } from '../../../../core/engine/errors/errors.ts'
import { digest } from '../../../../core/engine/json/digest.ts'
import type { Command } from '../../../../core/engine/schema/command.ts'
import type { Change, Plan, Selection } from '../../../../core/engine/schema/stored/plan.ts'
import { narrowPlan } from '../../../../core/engine/workflows/apply/approved/select-targets.ts'
import { commandsOf } from '../../../../core/engine/workflows/apply/approved/selection.ts'
import { requestApply } from '../../../../core/engine/workflows/apply/request-apply.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { aCommand } from '../../../builders/values/commands.ts'
import { aChange, aPlan, object } from '../../../builders/values/plans.ts'
import { renderPlan } from '../../../builders/values/rendered.ts'
import { driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'

/** Each address with its number of commands, and the earlier addresses that its first command waits for. */
const drawn = fc
  .array(fc.record({ commands: fc.integer({ min: 1, max: 3 }), needs: fc.array(fc.nat(30), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((resources) => {
    const address = (n: number): string => `${n % 2 === 0 ? 'a_b' : 'c_d'}.n${n}`
    return resources.flatMap(({ commands, needs }, n) =>
      Array.from({ length: commands }, (_, k) => {
        const waitsFor = n === 0 ? [] : [...new Set(needs.map((each) => each % n))]
        const first = waitsFor.map((each) => `${address(each)}#${resources[each]?.commands ?? 1}`)
        return aCommand(`${address(n)}#${k + 1}`, { dependsOn: k === 0 ? first : [`${address(n)}#${k}`] })
      }),
    )
  })

const pattern = fc.oneof(
  fc.nat(11).map((n) => `${n % 2 === 0 ? 'a_b' : 'c_d'}.n${n}`),
  fc.constantFrom('a_b.*', 'c_d.*', '*', '*1*', '*.n2'),
)
const patterns = fc.array(pattern, { maxLength: 3 })

const closure = (commands: readonly Command[], from: ReadonlySet<string>, next: (id: string) => readonly string[]) => {
  const all = new Set(from)
  for (let grown = true; grown; ) {
    const more = commands
      .map(({ id }) => id)
      .filter((id) => all.has(id))
      .flatMap(next)
      .filter((id) => !all.has(id))
    for (const id of more) all.add(id)
    grown = more.length > 0
  }
  return all
}

const matches = (patterns: readonly string[], address: string): boolean =>
  patterns.some((each) => new RegExp(`^${each.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(address))

/** The naive answer, by the definition alone. */
const expected = (commands: readonly Command[], { targets = [], exclude = [] }: Selection): readonly string[] => {
  const byId = new Map(commands.map((command) => [command.id, command]))
  const idsOf = (is: (address: string) => boolean) =>
    new Set(commands.filter((one) => is(one.address)).map(({ id }) => id))
  const gone = closure(
    commands,
    idsOf((address) => matches(exclude, address)),
    (id) => commands.filter(({ dependsOn }) => dependsOn.includes(id)).map((one) => one.id),
  )
  const start = idsOf((address) => targets.length === 0 || matches(targets, address))
  const wanted = closure(
    commands,
    new Set([...start].filter((id) => !gone.has(id))),
    (id) => byId.get(id)?.dependsOn ?? [],
  )
  return commands.map(({ id }) => id).filter((id) => wanted.has(id))
}

describe('the commands of a selection', () => {
  it('law: are those of the definition, with all that they wait for, as whole resources, without an excluded one', () => {
    fc.assert(
      fc.property(drawn, patterns, patterns, (commands, targets, exclude) => {
        const selected = commandsOf(commands, { targets, exclude })
        const ids = new Set(selected.map(({ id }) => id))
        expect([...ids]).toEqual(expected(commands, { targets, exclude }))
        for (const { dependsOn, address } of selected) {
          for (const id of dependsOn) expect(ids.has(id)).toBe(true)
          expect(matches(exclude, address)).toBe(false)
          const own = commands.filter((one) => one.address === address)
          expect(own.every(({ id }) => ids.has(id))).toBe(true)
        }
      }),
      lawRuns(1_000),
    )
  })

  it('law: without a selection that no other command waits for are exactly the rest', () => {
    fc.assert(
      fc.property(drawn, patterns, (commands, exclude) => {
        const kept = new Set(commandsOf(commands, { exclude }).map(({ id }) => id))
        const rest = [...new Set(commands.filter(({ id }) => !kept.has(id)).map(({ address }) => address))]
        if (rest.length === 0) return
        expect(commandsOf(commands, { exclude: rest }).map(({ id }) => id)).toEqual([...kept])
        const both = new Set([...kept, ...commandsOf(commands, { targets: rest }).map(({ id }) => id)])
        expect(both.size).toBe(commands.length)
      }),
      lawRuns(500),
    )
  })

  it('law: are shown with each change that is left out, and have a digest of their own', () => {
    fc.assert(
      fc.property(drawn, patterns, patterns, (commands, targets, exclude) => {
        const addresses = [...new Set(commands.map(({ address }) => address))]
        const changes = addresses.map((address): Change => aChange({ address, action: 'update', diff: object({}) }))
        const plan = aPlan({ commands, changes })
        try {
          const view = narrowPlan(plan, { targets, exclude })
          expect(view.digests.commands).toBe(
            view === plan ? plan.digests.commands : digest(commandsOf(commands, { targets, exclude })),
          )
          const told = [...view.changes, ...(view.leftOut ?? [])].map(({ address }) => address)
          expect(told.toSorted()).toEqual(addresses.toSorted())
          expect(view.commands.length).toBeGreaterThan(0)
        } catch (error) {
          expect(isAppError(error, 'TARGET_UNKNOWN') || isAppError(error, 'TARGET_EXCLUDED')).toBe(true)
        }
      }),
      lawRuns(500),
    )
  })

  const commands = [
    aCommand('pdns_zone.main#1'),
    aCommand('pdns_record.www#1', { dependsOn: ['pdns_zone.main#1'] }),
    aCommand('pdns_record.mail#1', { dependsOn: ['pdns_zone.main#1'] }),
    aCommand('pdns_zone.lab#1'),
  ]
  const refused: readonly (readonly [Selection, string, string])[] = [
    [{ targets: ['pdns_zoen.*'] }, 'TARGET_UNKNOWN', 'did you mean "pdns_zone.*"?'],
    [{ targets: ['pdns_zone.mian'] }, 'TARGET_UNKNOWN', 'did you mean "pdns_zone.main"?'],
    [{ exclude: ['pdns_recrod.*'] }, 'TARGET_UNKNOWN', 'did you mean "pdns_record.*"?'],
    [
      { targets: ['pdns_record.www'], exclude: ['pdns_zone.main'] },
      'TARGET_EXCLUDED',
      'pdns_record.www is a target, and waits for pdns_zone.main, which is excluded',
    ],
    [
      { targets: ['pdns_zone.lab'], exclude: ['pdns_zone.*'] },
      'TARGET_EXCLUDED',
      'pdns_zone.lab is a target, and excluded',
    ],
    [{ exclude: ['*'] }, 'TARGET_EXCLUDED', 'nothing is left to send without *'],
    [
      { targets: ['pdns_record.*'], exclude: ['pdns_zone.main'] },
      'TARGET_EXCLUDED',
      'nothing is left to send without pdns_zone.main',
    ],
  ]
  it.each(refused)('are refused for %j', (selection, code, message) => {
    expect(() => narrowPlan(aPlan({ commands }), selection)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    )
  })

  it('keep the part of a pattern that an exclusion leaves, and the page names the rest', () => {
    const changes = ['pdns_zone.main', 'pdns_record.www', 'pdns_record.mail', 'pdns_zone.lab'].map((address) =>
      aChange({ address, action: 'create', diff: object({}) }),
    )
    const view = narrowPlan(aPlan({ commands, changes }), { targets: ['pdns_*'], exclude: ['pdns_record.www'] })
    expect(view.commands.map(({ id }) => id)).toEqual(['pdns_zone.main#1', 'pdns_record.mail#1', 'pdns_zone.lab#1'])
    const zones = narrowPlan(aPlan({ commands, changes }), { exclude: ['pdns_zone.main'] })
    expect(zones.leftOut).toEqual([
      { address: 'pdns_zone.main', why: 'excluded' },
      { address: 'pdns_record.www', why: 'waits', on: 'pdns_zone.main' },
      { address: 'pdns_record.mail', why: 'waits', on: 'pdns_zone.main' },
    ])
    const page = renderPlan(zones, { format: 'text' })
    expect(page).toContain('1 change, 3 not selected')
    expect(page).toContain('it waits for pdns_zone.main, which is excluded')
    expect(renderPlan(view, { format: 'text' })).toContain(` --target 'pdns_*' --exclude pdns_record.www\n`)
  })
})

const resources = [
  '{ type: shop_list, name: main, spec: { name: groceries } }',
  '{ type: shop_item, name: tea, spec: { list: "${resource.shop_list.main.id}", title: tea } }',
  '{ type: shop_label, name: sale, spec: { name: sale, text: all } }',
]

describe('an apply of a selection', () => {
  const open = async () => {
    const shop = await startShop()
    const drive = driveShop(shop, resources)
    const view = async (selection: Selection): Promise<Plan> => {
      const { plan } = await drive.check()
      if (plan === undefined) throw new Error('not planned')
      return narrowPlan(plan, selection)
    }
    const run = async (digest: string, selection: Selection) => {
      const { targets, exclude } = selection
      const { id } = await requestApply(
        {
          ...{ workspace, mode: 'execute', digest, reason: 'r', actor },
          ...(targets && { targets }),
          ...(exclude && { exclude }),
        },
        drive.deps,
      )
      return drive.runAgain(id)
    }
    return { shop, drive, view, run, [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose]() }
  }

  it('sends nothing that is excluded or waits for it, and reports what remains different', async () => {
    await using here = await open()
    const selection = { exclude: ['shop_list.*'] }
    const apply = await here.run((await here.view(selection)).digests.commands, selection)
    expect(apply).toMatchObject({ status: 'succeeded', exclude: ['shop_list.*'] })
    expect(apply.left?.map(({ address }) => address).toSorted()).toEqual(['shop_item.tea', 'shop_list.main'])
    expect(here.shop.writes()).toHaveLength(1)
  })

  it('is stale if a pattern matches more by then', async () => {
    await using here = await open()
    const selection = { targets: ['shop_label.*'] }
    const { commands } = (await here.view(selection)).digests
    here.drive.configure([...resources, '{ type: shop_label, name: new, spec: { name: new, text: all } }'])
    expect(await here.run(commands, selection)).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
    expect(here.shop.writes()).toHaveLength(0)
  })

  it('includes the deletes of the dependents of a deleted target, and all commands of a replaced one', async () => {
    await using here = await open()
    const { commands } = (await here.view({})).digests
    await here.run(commands, {})
    here.drive.configure([])
    const ids = async (selection: Selection) => (await here.view(selection)).commands.map(({ id }) => id)
    expect(await ids({ targets: ['shop_list.main'] })).toEqual(['shop_item.tea#1', 'shop_list.main#1'])
    expect(await ids({ exclude: ['shop_item.tea'] })).toEqual(['shop_label.sale#1'])
    await expect(here.view({ targets: ['shop_list.main'], exclude: ['shop_item.tea'] })).rejects.toMatchObject({
      code: 'TARGET_EXCLUDED',
    })
  })
})
