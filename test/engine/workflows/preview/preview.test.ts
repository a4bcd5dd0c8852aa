import { describe, expect, it } from 'vitest'
import { isAppError } from '../../../../core/engine/errors/errors.ts'
import { findStored, removalWrites } from '../../../../core/engine/state/workspaces/workspaces.ts'
import { forgetRecords } from '../../../../core/engine/workflows/state/forget-records.ts'
import { rollbackWorkspace } from '../../../../core/engine/workflows/workspace/versions/versions.ts'
import { acceptDrift } from '../../../../core/tools/authoring/accept/accept-drift.ts'
import { long } from '../../../builders/long.ts'
import { head, previewWorld } from '../../../builders/workspaces/preview-world.ts'
import { actor } from '../../../builders/workspaces/workspace.ts'

const two = `${head}variables: { note: { type: string, default: hello } }
resources:
  - { type: z_zone, name: main, spec: { name: main, note: "\${var.note}" }, lifecycle: { preventDestroy: true } }
  - { type: z_settings, name: main, spec: { zone: "\${resource.z_zone.main.name}", note: set } }
  - { type: z_host, name: www, spec: { zone: "\${resource.z_zone.main.name}", name: www } }
`
const renamed = 'rename: [{ address: "z_zone.*", attribute: name, to: "${slug}-${value}" }]\n'
const id = 'acme--login'

const started = async (text = two) => {
  const world = previewWorld()
  await world.push(text)
  await world.apply('acme')
  const before = structuredClone([...world.api.objects])
  world.api.writes.length = 0
  return { ...world, before }
}

type World = Awaited<ReturnType<typeof started>>

/** The objects of the base are as they were, and no write was about one of them. */
const expectBaseUntouched = ({ api, before }: World): void => {
  for (const [path, object] of before) expect(api.objects.get(path)).toEqual(object)
  const paths = new Set(before.map(([path]) => path))
  expect(api.writes.filter(({ path }) => paths.has(path) || /zones\/main(\/|$)/.test(path))).toEqual([])
}

const blockedOf = ({ plan }: Awaited<ReturnType<World['check']>>) =>
  plan?.changes.filter(({ blocked }) => blocked !== undefined).map(({ address, blocked }) => [address, blocked?.reason])
const uncheckedOf = ({ plan }: Awaited<ReturnType<World['check']>>) =>
  plan?.unchecked.map(({ address }) => address).toSorted()

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was refused',
    (error: unknown) => (isAppError(error) ? `${error.code} ${error.message}` : String(error)),
  )

describe('a preview', () => {
  it(
    'stores an earlier configuration of its branch again in a rollback, and changes nothing of its base',
    long,
    async () => {
      const world = await started()
      await world.preview(two, `${renamed}variables: { note: first }\n`)
      await world.apply(id)
      await world.preview(two, `${renamed}variables: { note: second }\n`)
      await world.apply(id)
      expect(world.api.objects.get('/main/zones/login-main')).toMatchObject({ note: 'second' })
      const request = { workspace: id, version: 1, reason: 'it was better', actor }
      const back = await rollbackWorkspace(request, world.deps)
      expect(back).toMatchObject({ id, preview: { base: 'acme', branch: 'login' }, configurationVersion: 3 })
      await world.apply(id)
      expect(world.api.objects.get('/main/zones/login-main')).toMatchObject({ note: 'first' })
      expect((await world.check(id)).run.status).toBe('in_sync')
      expectBaseUntouched(world)
    },
  )

  it('creates its own objects, is in sync, and deletes exactly these', long, async () => {
    const world = await started()
    const stored = await world.preview(two, `${renamed}variables: { note: "\${value} from \${branch}" }\n`)
    expect(stored).toMatchObject({ id, preview: { base: 'acme', branch: 'login' } })
    await world.apply(id)
    expect(world.api.objects.get('/main/zones/login-main')).toEqual({ name: 'login-main', note: 'hello from login' })
    expect((await world.check(id)).run.status).toBe('in_sync')
    expect((await world.check('acme')).run.status).toBe('in_sync')
    await world.expire(id)
    const { plan } = await world.apply(id)
    expect(plan?.changes.map(({ address, action }) => `${action} ${address}`)).toEqual([
      'delete z_host.www',
      'delete z_zone.main',
    ])
    expect((await world.check(id)).run.status).toBe('in_sync')
    expect(await world.recorded(id)).toEqual([])
    expect([...world.api.objects]).toEqual(world.before)
    expectBaseUntouched(world)
    await world.remove(id)
    expect((await world.preview(two, renamed)).id).toBe(id)
  })

  it('names a way out that works for what a create without an answer may have made', async () => {
    const world = await started()
    await world.preview(two, renamed)
    world.hooks.written = () =>
      world.api.writes.at(-1)?.method === 'POST' ? Promise.reject(new Error('lost')) : Promise.resolve()
    await world.apply(id)
    delete world.hooks.written
    await world.expire(id)
    const { plan } = await world.check(id)
    const way = /plumbline state rm -w acme--login 'z_host.www'/
    expect(plan?.unchecked).toMatchObject([{ address: 'z_host.www', detail: expect.stringMatching(way) }])
    await forgetRecords({ workspace: id, addresses: ['z_host.www'], reason: 'by hand', actor }, world.deps)
    await world.apply(id)
    expect(await world.recorded(id)).toEqual([])
    expectBaseUntouched(world)
  })

  it('deletes what its type protects in every other workspace', async () => {
    const kept = `${head}resources: [{ type: z_kept, name: main, spec: { name: main } }]\n`
    const world = await started(kept)
    await world.preview(kept, renamed.replace('z_zone', 'z_kept'))
    await world.apply(id)
    expect(world.api.objects.has('/main/zones/login-main')).toBe(true)
    await world.expire(id)
    await world.apply(id)
    expect([...world.api.objects.keys()]).toEqual(['/main/zones/main'])
  })

  it('expires by time, without anything being deleted before it is approved', long, async () => {
    const world = await started()
    await world.preview(two, `expires: 1h\n${renamed}`)
    await world.apply(id)
    const objects = [...world.api.objects.keys()]
    world.clock.forward(3_600_000)
    const { plan } = await world.check(id)
    expect(plan?.changes.map(({ action }) => action)).toEqual(['delete', 'delete'])
    expect([...world.api.objects.keys()]).toEqual(objects)
    // Storing it again renews it.
    await world.preview(two, `expires: 1h\n${renamed}`)
    expect((await world.check(id)).run.status).toBe('in_sync')
  })

  it('is checked once when it expires, or by the schedule of its overlay', async () => {
    const world = await started(two.replace('workspace: acme\n', 'workspace: acme\nschedule: rate(5 minutes)\n'))
    expect((await world.preview(two, `expires: 1h\n${renamed}`)).schedule).toBe('at(2026-11-21T07:00:00)')
    expect((await world.preview(two, `schedule: rate(1 hour)\n${renamed}`)).schedule).toBe('rate(1 hour)')
  })

  it('is destroyed also when its base workspace is gone, and can be used for nothing else then', async () => {
    const world = await started()
    await world.preview(two, renamed)
    await world.apply(id)
    await expect(world.remove('acme')).rejects.toMatchObject({
      code: 'WORKSPACE_HAS_PREVIEWS',
      payload: { previews: [`${id} (branch login)`] },
    })
    // It was removed while the preview was stored.
    const stored = (await findStored(world.deps.store, 'acme')) ?? expect.unreachable()
    await world.deps.store.write(
      removalWrites('acme', stored, { at: '2026-11-21T06:00:00.000Z', by: actor, reason: 'gone' }),
    )
    expect((await world.check(id)).run).toMatchObject({ status: 'failed', error: { code: 'PREVIEW_REFUSED' } })
    await world.expire(id)
    await world.apply(id)
    expect([...world.api.objects]).toEqual(world.before)
  })

  it('accepts no drift, because its files are those of another branch', async () => {
    const world = await started()
    await world.preview(two, renamed)
    expect(await refusal(acceptDrift({ workspace: id, paths: [] }, world.deps))).toMatch(/^USAGE .*is a preview/)
  })

  it('keeps the names that it was made with, whatever is pushed for the base', long, async () => {
    const world = await started()
    await world.preview(two, renamed)
    await world.apply(id)
    await world.push(two.replace('name: main, note', 'name: login-main, note'))
    const checked = await world.check(id)
    // The base claims it now: nobody else writes it.
    expect(uncheckedOf(checked)).toContain('z_zone.main')
    await world.expire(id)
    world.api.writes.length = 0
    await world.apply(id)
    expect(world.api.writes.map(({ object }) => object)).not.toContain('/main/zones/login-main')
  })
})

describe('a preview that could touch the base', () => {
  it.each([
    ['no rename at all', '{}\n'],
    ['a rename that renames nothing', 'rename: [{ address: "*", attribute: name, to: "${value}" }]\n'],
    ['a scope that is the same', `providers: { z: { with: { scope: "\${value}" } } }\n`],
    ['only some of the names', 'rename: [{ address: "z_host.*", attribute: name, to: "${slug}-${value}" }]\n'],
  ])('is refused before anything is sent: %s', async (_, overlay) => {
    const world = await started()
    await world.preview(two.replace('hello', 'changed'), overlay)
    const checked = await world.apply(id)
    expect(uncheckedOf(checked)).toContain('z_zone.main')
    expect(checked.run.status).toBe('incomplete')
    await world.expire(id)
    await world.apply(id)
    expect(world.api.writes).toEqual([])
    expectBaseUntouched(world)
  })

  it('says whose object it would touch', async () => {
    const world = await started()
    await world.preview(two, '{}\n')
    const { plan } = await world.check(id)
    expect(plan?.unchecked.find(({ address }) => address === 'z_zone.main')?.detail).toBe(
      'it would be z_zone.main of acme, and a preview changes nothing of that; give it another name in the overlay',
    )
  })

  it('is allowed where another scope has its own objects with the same names', long, async () => {
    const world = await started()
    await world.preview(two, 'providers: { z: { with: { scope: "${value}-${slug}" } } }\n')
    await world.apply(id)
    expect((await world.check(id)).run.status).toBe('in_sync')
    expect(world.api.writes.every(({ path }) => path.startsWith('/main-login/'))).toBe(true)
    await world.expire(id)
    await world.apply(id)
    expect([...world.api.objects]).toEqual(world.before)
  })

  it('is refused where the overlay makes two resources one object', async () => {
    const world = await started()
    const both = `${two}  - { type: z_zone, name: other, spec: { name: other } }\n`
    const overlay = 'rename: [{ address: "z_zone.*", attribute: name, to: "${slug}" }]\n'
    expect(await refusal(world.preview(both, overlay))).toMatch(/^CONFIG_INVALID .*is the same object as z_zone.main/s)
  })

  it('is refused for a reference by a literal name to an object of the base', async () => {
    const world = await started()
    const text = `${head}resources:
  - { type: z_settings, name: main, spec: { zone: main, note: taken } }
  - { type: z_host, name: www, spec: { zone: main, name: www, note: taken } }
`
    await world.preview(text, '{}\n')
    const checked = await world.apply(id)
    expect(uncheckedOf(checked)).toEqual(['z_host.www', 'z_settings.main'])
    expect(world.api.writes).toEqual([])
    expectBaseUntouched(world)
  })

  it('is refused for something new in an object of the base', async () => {
    const world = await started()
    const text = `${head}resources: [{ type: z_host, name: mine, spec: { zone: main, name: mine } }]\n`
    await world.preview(text, '{}\n')
    const checked = await world.apply(id)
    expect(blockedOf(checked)).toEqual([['z_host.mine', 'held']])
    expect(checked.plan?.changes[0]?.blocked?.detail).toMatch(
      /\/main\/zones\/main\/hosts, and that is z_zone.main of acme/,
    )
    expect(world.api.writes).toEqual([])
  })

  it('sends nothing more if the base changes while the preview is applied', async () => {
    const world = await started()
    await world.preview(two, renamed)
    world.hooks.written = async () => {
      delete world.hooks.written
      await world.push(`${two}  - { type: z_host, name: taken, spec: { zone: login-main, name: www } }\n`)
    }
    await world.apply(id)
    expect(world.api.writes).toHaveLength(1)
  })

  it('does not take over the history of the base', async () => {
    const old = `${head}resources:
  - { type: z_zone, name: old, spec: { name: main } }
  - { type: z_zone, name: left, spec: { name: left } }
`
    const world = await started(old)
    const text = `${head}orphans: delete
resources:
  - { type: z_zone, name: new, spec: { name: other } }
moved: [{ from: z_zone.old, to: z_zone.new }]
removed: [{ address: z_zone.left, reason: handed over }]
import: [{ to: z_zone.new, id: { name: main } }]
gone: [{ address: "z_zone.*", reason: deleted by hand }]
`
    await world.preview(text, '{}\n')
    await world.apply(id)
    expect(world.api.writes.map(({ method, object }) => `${method} ${object}`)).toEqual(['PUT /main/zones/other'])
    expectBaseUntouched(world)
  })

  it('does not delete an object that must not exist, whoever owns it', async () => {
    const world = await started()
    world.api.objects.set('/main/zones/login-foreign', { name: 'login-foreign' })
    const text = `${head}resources:
  - { type: z_zone, name: main, absent: true, spec: { name: main } }
  - { type: z_zone, name: foreign, absent: true, spec: { name: foreign } }
`
    await world.preview(text, 'rename: [{ address: z_zone.foreign, attribute: name, to: "${slug}-${value}" }]\n')
    const checked = await world.apply(id)
    expect(blockedOf(checked)).toEqual([['z_zone.foreign', 'not_adopted']])
    expect(uncheckedOf(checked)).toEqual(['z_zone.main'])
    expect(world.api.writes).toEqual([])
  })

  it(
    'does not adopt an existing object without a record, and leaves it when the preview is destroyed',
    long,
    async () => {
      const world = await started()
      world.api.objects.set('/main/zones/login-main', { name: 'login-main', note: 'of somebody' })
      await world.preview(two, renamed)
      const checked = await world.apply(id)
      expect(blockedOf(checked)).toEqual(
        expect.arrayContaining([
          ['z_zone.main', 'not_adopted'],
          ['z_settings.main', 'not_adopted'],
        ]),
      )
      await world.expire(id)
      await world.apply(id)
      expect(world.api.objects.get('/main/zones/login-main')).toEqual({ name: 'login-main', note: 'of somebody' })
      expect(world.api.objects.has('/main/zones/login-main/settings')).toBe(false)
    },
  )

  it('is refused for an object that the base declares and has not created yet', async () => {
    const world = previewWorld()
    await world.push(two)
    await world.preview(two, '{}\n')
    await world.apply(id)
    expect(world.api.writes).toEqual([])
  })

  it('is refused for the same object under a type with another name', async () => {
    const world = previewWorld()
    await world.push(two)
    const text = `${head}resources: [{ type: z_kept, name: main, spec: { name: main } }]\n`
    await world.preview(text, '{}\n')
    expect(blockedOf(await world.apply(id))).toEqual([['z_kept.main', 'held']])
    expect(world.api.writes).toEqual([])
  })

  it('is refused where an object of the base cannot be read, because it may be any object', async () => {
    const world = await started()
    await world.push(
      `${two}  - { type: z_host, name: vague, spec: { zone: main, name: "\${resource.z_host.www.id}" } }\n`,
    )
    world.failing.add('/main/hosts/h1')
    const text = `${head}resources: [{ type: z_host, name: mine, spec: { zone: main, name: mine } }]\n`
    await world.preview(text, '{}\n')
    const checked = await world.apply(id)
    expect(uncheckedOf(checked)).toEqual(['z_host.mine'])
    expect(world.api.writes).toEqual([])
  })

  it('is not proven to own an object by a record that is not its own', long, async () => {
    const world = await started()
    await world.preview(two, renamed)
    await world.apply(id)
    // The base takes the object over: from then on it is recorded in both.
    await world.push(`${two}  - { type: z_zone, name: taken, spec: { name: login-main } }\n`)
    await world.check('acme')
    await world.push(two)
    world.api.writes.length = 0
    await world.expire(id)
    await world.apply(id)
    expect(world.api.writes.map(({ object }) => object)).not.toContain('/main/zones/login-main')
  })
})

describe('refused are', () => {
  it('a preview without a base workspace', async () => {
    const world = previewWorld()
    expect(await refusal(world.preview(two, renamed))).toMatch(/^PREVIEW_REFUSED .*nothing is stored of acme/)
  })

  it('an ordinary workspace in the place of a preview, and a preview in the place of an ordinary one', async () => {
    const world = await started()
    await world.push(two.replace('workspace: acme', `workspace: ${id}`))
    expect(await refusal(world.preview(two, renamed))).toMatch(/^PREVIEW_REFUSED .*no preview/)
    await world.preview(two, renamed, 'other')
    expect(await refusal(world.push(two.replace('workspace: acme', 'workspace: acme--other')))).toMatch(
      /^PREVIEW_REFUSED .*the preview of branch "other"/,
    )
  })

  it('a preview of a preview, and the expiry of an ordinary workspace', async () => {
    const world = await started()
    await world.preview(two, renamed)
    const deeper = two.replace('workspace: acme', `workspace: ${id}`)
    expect(await refusal(world.preview(deeper, renamed))).toMatch(/^PREVIEW_REFUSED .*acme--login is a preview itself/)
    expect(await refusal(world.expire('acme'))).toMatch(/^PREVIEW_REFUSED/)
  })

  it.each([
    ['rename: [{ address: z_zone.none, attribute: name, to: x }]\n', /nothing is renamed/],
    ['rename: [{ address: "*", attribute: nome, to: x }]\n', /nothing is renamed/],
    ['variables: { note: "${slog}" }\n', /\$\{slog} means nothing in an overlay/],
    ['variables: { none: x }\n', /there is no variable "none"/],
    ['providers: { y: { with: { scope: x } } }\n', /there is no provider "y"/],
    ['providers: { z: { with: { other: "${value}" } } }\n', /has no value/],
    ['expires: soon\n', /expires/],
    ['nothing: 1\n', /unknown key "nothing"/],
    ['- 1\n', /an overlay must be a mapping/],
  ])('the overlay %j', async (overlay, message) => {
    const world = await started()
    const error = await world.preview(two, overlay).catch((caught: unknown) => caught)
    expect(isAppError(error, 'CONFIG_INVALID') && error.payload.issues[0]).toMatchObject({
      file: 'plumbline.preview.yaml',
      message: expect.stringMatching(message),
    })
  })
})
