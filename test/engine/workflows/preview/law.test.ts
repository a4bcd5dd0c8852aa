import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isAppError } from '../../../../core/engine/errors/errors.ts'
import { lawCount, lawRuns } from '../../../builders/laws.ts'
import { head, objectOfHost, previewWorld } from '../../../builders/workspaces/preview-world.ts'

/*
 * Whatever the files of a workspace, of its branch and of the overlay say, and in whatever order things happen: no write of the preview
 * is about an object that the workspace declares as it is stored, or has recorded.
 */

const id = 'acme--login'
const names = ['a', 'b', 'login-a', 'login-b'] as const
const zones = ['main', 'login-main', 'login-login-main'] as const

interface Piece {
  readonly type: 'z_zone' | 'z_host' | 'z_settings'
  readonly zone: (typeof zones)[number]
  readonly name: (typeof names)[number]
  /** By a reference to the zone with this name where it is declared; else as a plain text. */
  readonly byReference: boolean
  readonly absent: boolean
  readonly lifecycle: string
}

const piece: fc.Arbitrary<Piece> = fc.record({
  type: fc.constantFrom('z_zone', 'z_zone', 'z_host', 'z_settings'),
  zone: fc.constantFrom(...zones),
  name: fc.constantFrom(...names),
  byReference: fc.boolean(),
  absent: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  lifecycle: fc.constantFrom('{}', '{ orphan: delete }', '{ orphan: forget }', '{ preventDestroy: true }'),
})

const keyOf = ({ type, zone, name }: Piece): string =>
  type === 'z_host' ? `${type} ${zone} ${name}` : `${type} ${zone}`
const pieces = fc.uniqueArray(piece, { maxLength: 6, selector: keyOf })

/** The history that a configuration may tell: of objects that exist or not. */
const history = fc.constantFrom(
  '',
  'orphans: delete\n',
  'gone: [{ address: "*", reason: deleted by hand }]\n',
  'removed: [{ address: z_zone.gone, reason: handed over }]\n',
  'orphans: forget\nunmanaged: report\n',
)

const addressIn = (all: readonly Piece[], each: Piece): string => `${each.type}.r${all.indexOf(each)}`

const textOf = (all: readonly Piece[], more: string): string => {
  const lines = all.map((each) => {
    const { type, zone, name, byReference, absent, lifecycle } = each
    const parent = all.find((other) => other.type === 'z_zone' && other.zone === zone && !other.absent)
    const key =
      byReference && parent !== undefined && type !== 'z_zone' ? `"\${resource.${addressIn(all, parent)}.name}"` : zone
    const spec =
      type === 'z_zone' ? `name: ${zone}` : type === 'z_host' ? `zone: ${key}, name: ${name}` : `zone: ${key}`
    const flags = absent && type !== 'z_settings' ? ', absent: true' : ''
    return `  - { type: ${type}, name: r${all.indexOf(each)}${flags}, spec: { ${spec}, note: n${name} }, lifecycle: ${lifecycle} }`
  })
  return `${head}${more}resources:${lines.length === 0 ? ' []' : ''}\n${lines.join('\n')}\n`
}

const rename = fc.record({
  address: fc.constantFrom('*', 'z_zone.*', 'z_host.*', 'z_*.r0'),
  attribute: fc.constantFrom('name', 'zone'),
  to: fc.constantFrom('${value}', '${slug}-${value}', 'main', 'a', '${slug}-main'),
})

const overlay = fc
  .record({
    renames: fc.array(rename, { maxLength: 2 }),
    scope: fc.constantFrom(undefined, '${value}', 'main', '${value}-${slug}'),
    expires: fc.constantFrom('1h', '7d'),
  })
  .map(({ renames, scope, expires }) =>
    JSON.stringify({
      expires,
      rename: renames,
      ...(scope === undefined ? {} : { providers: { z: { with: { scope } } } }),
    }),
  )

const step = fc.oneof(
  fc.record({ do: fc.constant('base' as const), pieces, history }),
  fc.record({ do: fc.constant('preview' as const), pieces, history, overlay }),
  fc.record({ do: fc.constantFrom('applyBase' as const, 'checkBase' as const) }),
  fc.record({ do: fc.constantFrom('applyPreview' as const, 'applyPreview' as const, 'expire' as const) }),
  fc.record({ do: fc.constant('byHand' as const), zone: fc.constantFrom(...zones) }),
)

/** What a step may end with, and nothing was sent. */
const refusals = new Set(['CONFIG_INVALID', 'PREVIEW_REFUSED', 'WORKSPACE_NOT_FOUND', 'ALL_BLOCKED', 'STALE_PLAN'])
const unlessRefused = async (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (isAppError(error) && refusals.has(error.code)) return false
      throw error
    },
  )

it('no write of a preview concerns an object of its base workspace', async () => {
  let sent = 0
  await fc.assert(
    fc.asyncProperty(pieces, history, fc.array(step, { minLength: 3, maxLength: 9 }), async (first, told, steps) => {
      const world = previewWorld()
      let declared: readonly Piece[] = []
      const store = async (next: readonly Piece[], more: string): Promise<void> => {
        if (await unlessRefused(world.push(textOf(next, more)))) declared = next
      }
      await store(first, told)
      await unlessRefused(world.apply('acme'))

      /** What the workspace claims now. */
      const claimed = async (): Promise<ReadonlySet<string>> => {
        const own = declared.map(({ type, zone, name }) =>
          type === 'z_host'
            ? objectOfHost('main', zone, name)
            : `/main/zones/${zone}${type === 'z_zone' ? '' : '/settings'}`,
        )
        const recorded = (await world.recorded('acme')).map(({ type, attributes, ids }) => {
          const { zone, name } = attributes
          if (type === 'z_zone') return `/main/zones/${name}`
          return type === 'z_settings' ? `/main/zones/${zone}/settings` : `/main/hosts/${ids?.['id']}`
        })
        return new Set([...own, ...recorded])
      }
      for (const each of steps) {
        const before = await claimed()
        world.api.writes.length = 0
        if (each.do === 'base') await store(each.pieces, each.history)
        if (each.do === 'applyBase') await unlessRefused(world.apply('acme'))
        if (each.do === 'checkBase') await unlessRefused(world.check('acme'))
        if (each.do === 'preview') await unlessRefused(world.preview(textOf(each.pieces, each.history), each.overlay))
        if (each.do === 'expire') await unlessRefused(world.expire(id))
        if (each.do === 'byHand')
          world.api.objects.set(`/main/zones/${each.zone}`, { name: each.zone, note: 'by hand' })
        if (each.do !== 'preview' && each.do !== 'applyPreview') continue
        await unlessRefused(world.apply(id))
        sent += world.api.writes.length
        for (const { path, object, method } of world.api.writes) {
          const zone = path.split('/').slice(0, 4).join('/')
          const isInside = before.has(path) || before.has(object) || before.has(zone)
          expect([method, path, isInside]).toEqual([method, path, false])
        }
      }
    }),
    lawRuns(150),
  )
  // The law is about something.
  expect(sent).toBeGreaterThan(lawCount(50))
})
