import { expect } from 'vitest'
import { startThings } from '../../builders/servers/things-api.ts'
import { aFolder } from '../folder.ts'
import { prove } from '../prove.ts'
import { aDocument, aThing, aType } from '../world.ts'
import { command } from './command.ts'

/** A folder that wants one thing of size 2, and a server on which it has size 1; `await using` ends both. */
const aPlace = async () => {
  const server = await startThings()
  server.state.set('/things/a', '{"size":1}')
  const folder = aFolder(server, aDocument({ thing: aType('size: { type: number }') }), [aThing('a', { size: 2 })])
  const close = async () => {
    folder[Symbol.dispose]()
    await server[Symbol.asyncDispose]()
  }
  return { ...folder, server, size: () => server.state.get('/things/a'), [Symbol.asyncDispose]: close }
}

prove(command, {
  plan: async () => {
    await using here = await aPlace()
    expect((await here.run('check', '--out', 'plan.json')).code).toBe(2)
    const reads = here.server.received.length
    expect((await here.run('check', '--no-refresh')).code).toBe(3)
    expect([here.server.received.length, here.server.writes(), JSON.parse(here.read('plan.json')).workspace]).toEqual([
      reads,
      [],
      expect.stringMatching(/^things-/),
    ])
  },
  apply: async () => {
    await using here = await aPlace()
    const { stdout } = await here.run('check', '--json')
    const refused = await here.run('apply')
    expect([refused.code, refused.stderr, here.server.writes()]).toMatchObject([
      1,
      expect.stringContaining('--yes'),
      [],
    ])
    const digest = JSON.parse(stdout).plumbline.run.digests.commands
    expect((await here.run('apply', '--digest', `sha256:${'0'.repeat(64)}`)).code).not.toBe(0)
    expect(here.server.writes()).toEqual([])
    expect([(await here.run('apply', '--digest', digest)).code, here.size()]).toEqual([0, '{"size":2}'])
  },
  destroy: async () => {
    await using here = await aPlace()
    await here.run('apply', '--yes')
    here.want([])
    const planned = await here.run('check')
    expect([planned.code, planned.stdout]).toEqual([2, expect.stringContaining('orphans: delete')])
    expect([(await here.run('apply', '--yes')).code, here.size()]).toEqual([0, undefined])
  },
  refresh: async () => {
    await using here = await aPlace()
    await here.run('apply', '--yes')
    here.server.state.set('/things/a', '{"size":5}')
    expect([(await here.run('check')).code, (await here.run('check')).code]).toEqual([2, 2])
    expect((await here.run('accept', 'api_thing.a', '--yes')).code).toBe(0)
    expect(here.read('plumbline.yaml')).toContain('"size":5')
    expect((await here.run('check')).code).toBe(0)
  },
  drift: async () => {
    await using here = await aPlace()
    await here.run('apply', '--yes')
    expect((await here.run('check', '--refresh-only')).code).toBe(0)
    here.server.state.set('/things/a', '{"size":5}')
    expect((await here.run('check', '--refresh-only')).code).toBe(2)
  },
  validate: async () => {
    await using here = await aPlace()
    expect([(await here.run('validate')).code, here.server.received]).toEqual([0, []])
    here.want([aThing('a', { size: 'large' })])
    expect([(await here.run('validate')).code, here.server.received]).toEqual([1, []])
  },
  preview: async () => {
    await using here = await aPlace()
    await here.run('apply', '--yes')
    here.write(
      'plumbline.preview.yaml',
      'rename: [{ address: "api_thing.*", attribute: name, to: "${slug}.${value}" }]\n',
    )
    const before = here.server.writes().length
    const { stdout } = await here.run('preview', '--branch', 'new', '--json')
    const name = /things-\d+--new/.exec(stdout)?.[0] ?? ''
    expect((await here.run('apply', name, '--yes')).code).toBe(0)
    expect([here.server.state.get('/things/new.a'), here.size()]).toEqual(['{"size":2}', '{"size":2}'])
    expect((await here.run('preview', 'destroy', '--branch', 'new', '--yes')).code).toBe(0)
    const touched = here.server.writes().slice(before)
    expect(touched.map(({ method, url }) => `${method} ${url}`)).toEqual(['PUT /things/new.a', 'DELETE /things/new.a'])
    expect((await here.run('check')).code).toBe(0)
  },
  'global options': async () => {
    await using here = await aPlace()
    const colored = '\u001b['
    expect((await here.run('check', '--color')).stdout).toContain(colored)
    expect((await here.run('check', '--no-color')).stdout).not.toContain(colored)
    expect((await here.run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+/)
  },
  output: async () => {
    await using here = await aPlace()
    const { stdout } = await here.run('check')
    expect(stdout).toMatch(/^.*~ api_thing\.a/m)
    expect(stdout).toMatch(/size.*1.*2/)
    expect(stdout).toMatch(/1 to (change|update)/)
  },
  'interface for programs': async () => {
    await using here = await aPlace()
    expect(JSON.parse((await here.run('check', '--json')).stdout)).toMatchObject({
      resource_changes: [{ change: { actions: expect.any(Array) } }],
      plumbline: { run: { status: 'changes' } },
    })
    here.write('plumbline.yaml', 'workspace: [')
    const { code, stdout } = await here.run('check', '--json')
    expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'CONFIG_INVALID'])
  },
  pipeline: async () => {
    await using here = await aPlace()
    expect((await here.run('check', '--out', 'plan.json')).code).toBe(2)
    expect([(await here.run('apply', 'plan.json')).code, here.size()]).toEqual([0, '{"size":2}'])
    const writes = here.server.writes().length
    expect([(await here.run('apply', 'plan.json')).code, here.server.writes().length]).toEqual([2, writes])
  },
})
