import { describe, expect, it } from 'vitest'
import { driveKeys, type KeyDocument, key, startKeys } from '../../../builders/servers/owned-keys.ts'

const ofBen = { uuid: 'k1', user_uuid: 'ben', name: 'laptop', text: 'of ben' }

const start = async (document: KeyDocument = {}, rows = [{ ...ofBen }]) => {
  const api = await startKeys(rows)
  const given = driveKeys(api.url, document)
  given.want(key('laptop', 'laptop'))
  return { ...api, ...given, api }
}

/** Every way in which a document can say whose the object is that it looks for. */
const ways: readonly (readonly [string, KeyDocument])[] = [
  ['the query of the lookup', {}],
  [
    'the query of the operation',
    { list: '{ method: GET, path: /keys/, query: { user_uuid: "{me.uuid}" } }', lookup: '{ list: {}, match: [name] }' },
  ],
  ['what its items must hold', { lookup: '{ list: {}, match: [name], where: { user_uuid: "{me.uuid}" } }' }],
]

describe('an API that shows the objects of others too', () => {
  it('without naming its caller, gives us the object of a colleague with the same name', async () => {
    await using api = await start({ lookup: '{ list: {}, match: [name] }', discover: '{}', me: '' })
    expect((await api.check()).changes).toEqual(['update keys_key.laptop'])
  })

  it.each(ways)(
    'with the caller in %s creates our object, and leaves the one of the colleague',
    async (_, document) => {
      await using api = await start(document)
      expect((await api.check()).changes).toEqual(['create keys_key.laptop'])
      expect(await api.apply()).toMatchObject({ status: 'succeeded' })
      expect(api.keys).toEqual([ofBen, expect.objectContaining({ user_uuid: 'ana', name: 'laptop', text: 't' })])
      expect(await api.check()).toMatchObject({ status: 'in_sync', changes: [] })
      api.want('')
      expect(await api.apply()).toMatchObject({ status: 'succeeded' })
      expect(api.keys).toEqual([ofBen])
    },
  )

  it('can have the caller in paths and bodies', async () => {
    await using api = await start({
      create: '{ method: POST, path: /keys/, body: { name: "{name}", text: "{text} of {me.uuid}" } }',
    })
    await api.approve().then(api.run)
    expect(api.keys.at(-1)).toMatchObject({ user_uuid: 'ana', text: 't of ana' })
  })

  it('finds undeclared objects among our own only', async () => {
    await using api = await start({}, [ofBen, { ...ofBen, uuid: 'k2', user_uuid: 'ana', name: 'desk' }])
    api.want(key('laptop', 'laptop'), 'unmanaged: report')
    expect((await api.check()).unmanaged).toEqual(['desk'])
  })

  it('is asked for the caller once in a check, also for types that do not use it', async () => {
    await using api = await start()
    api.want(key('a', 'a') + key('b', 'b') + key('c', 'c'))
    await api.check()
    expect(api.asked()).toBe(1)
    await using other = await start({ lookup: '{ list: {}, match: [name] }', discover: '{}' })
    await other.check()
    expect(other.asked()).toBe(1)
  })

  it.each([
    ['is refused', [403, { detail: 'no' }], 'forbidden: who the caller is could not be read: GET'],
    ['is refused in words', [403, { message: 'your badge has expired' }], 'answered 403: your badge has expired'],
    ['is not there', [404, { detail: 'no' }], 'unexpected_status: who the caller is could not be read: GET'],
    ['has no such member', [200, {}], 'answered nothing at uuid'],
    ['has nothing in it', [200, { uuid: '' }], 'answered text at uuid'],
    ['has an object in it', [200, { uuid: { of: 'ana' } }], 'answered an object at uuid'],
    ['has a number that is not kept', [200, '{"uuid":12345678901234567890}'], 'answered nothing at uuid'],
  ] as const)('where the answer %s, makes nothing looked for and nothing absent', async (_, me, detail) => {
    await using api = await start()
    api.behaviour.me = me
    const { changes, unchecked, status } = await api.check()
    expect({ changes, status }).toEqual({ changes: [], status: 'incomplete' })
    expect(unchecked.join()).toContain(detail)
    expect(api.seen.filter(({ url }) => url?.startsWith('/keys/'))).toEqual([])
  })

  it('shows no secret of the answer in its report', async () => {
    await using api = await start({ me: ', me: { read: { method: GET, path: /users/me/ }, as: { uuid: uuid } }' })
    api.behaviour.me = [200, { uuid: 'token-ana' }]
    const { changes, unchecked } = await api.check()
    expect(changes).toEqual([])
    expect(unchecked.join()).toContain('who the caller is repeats a secret')
    expect(JSON.stringify([unchecked, api.seen.map(({ url }) => url)])).not.toContain('token-ana')
  })
})

describe('another caller than the one of the plan', () => {
  it.each(ways)('sends nothing that was approved for the first: %s', async (_, document) => {
    await using api = await start(document, [])
    const id = await api.approve()
    api.become('ben')
    const ended = await api.run(id)
    expect(ended).toMatchObject({ status: 'refused', error: { code: 'STALE_PLAN' } })
    expect(ended.error?.message).toContain('would be sent as uuid ben, and not as uuid ana')
    expect(api.writes()).toEqual([])
  })

  it.each([
    ['changes', key('laptop', 'laptop', 'other')],
    ['left', ''],
  ])('sends nothing for an object that %s', async (_, wanted) => {
    await using api = await start({}, [])
    await api.apply()
    const before = api.writes()
    api.want(wanted)
    const id = await api.approve()
    api.become('ben')
    expect(await api.run(id)).toMatchObject({ status: 'refused' })
    expect(api.writes()).toEqual(before)
  })

  it('does not own what the first one made, which is reported where the object shows it', async () => {
    await using api = await start({ lookup: '{ list: {}, match: [name], where: { user_uuid: "{me.uuid}" } }' }, [])
    await api.apply()
    api.become('ben')
    const { changes, unchecked } = await api.check()
    expect(changes).toEqual([])
    expect(unchecked.join()).toContain("what is recorded is not the caller's: its user_uuid is another one")
  })

  it('finds what left the configuration as the first one made it', async () => {
    await using api = await start({}, [ofBen])
    await api.apply()
    api.want('')
    api.become('ben')
    expect((await api.check()).changes).toEqual(['delete keys_key.laptop'])
    await api.apply()
    expect(api.keys).toEqual([ofBen])
  })
})

/** What no request of the type names: the API alone decides what it shows to whom. */
const unnamed: KeyDocument = { lookup: '{ list: {}, match: [name] }', discover: '{}' }

describe('another caller than the one of the record, of a type whose requests do not name it', () => {
  const startHidden = async () => {
    const api = await start(unnamed, [])
    await api.apply()
    api.api.behaviour.hidesOthers = true
    return api
  }

  it('may not see what is missing, so that nothing is created', async () => {
    await using api = await startHidden()
    api.become('ben')
    const { changes, unchecked } = await api.check()
    expect(changes).toEqual([])
    expect(unchecked.join()).toContain('out_of_sight: it was recorded as uuid ana sees it, and keys is uuid ben now')
    api.become('ana')
    expect(await api.check()).toMatchObject({ status: 'in_sync', changes: [], unchecked: [] })
  })

  it('is not told that an object of its own stands in the place of the one that it does not see', async () => {
    await using api = await startHidden()
    api.keys.push({ ...ofBen, uuid: 'k7' })
    api.become('ben')
    const { changes, unchecked } = await api.check()
    expect(changes).toEqual([])
    expect(unchecked.join()).toContain('out_of_sight')
  })

  it.each([
    ['is declared', key('k1', 'k1')],
    ['left the configuration', ''],
  ])('has no proof in a name alone of what %s, and may forget the record', async (_, wanted) => {
    await using api = await start({ ...unnamed, isNamed: true }, [])
    api.want(key('k1', 'k1'))
    await api.apply()
    expect(await api.check()).toMatchObject({ status: 'in_sync' })
    api.want(wanted, wanted === '' ? 'orphans: delete' : '')
    api.keys.splice(0, 1, { ...ofBen, name: 'k1' })
    api.become('ben')
    const { changes, unchecked } = await api.check()
    expect(changes).toEqual([])
    expect(unchecked).toEqual([
      expect.stringMatching(
        /^out_of_sight: .*keys is uuid ben now.*plumbline state rm 'keys_key.k1' \(many at once: 'keys_key\.\*'\)/,
      ),
    ])
    api.become('ana')
    expect(await api.check()).toMatchObject({ changes: [wanted === '' ? 'delete keys_key.k1' : 'update keys_key.k1'] })
  })

  it('may be anybody where the answer does not say who it is, and what is found is checked all the same', async () => {
    await using api = await startHidden()
    api.want(key('laptop', 'laptop') + key('desk', 'desk'))
    await api.apply()
    api.keys.splice(0, 1)
    api.api.behaviour.me = [403, { detail: 'no' }]
    const { changes, unchecked } = await api.check()
    expect({ changes, many: unchecked.length }).toEqual({ changes: [], many: 1 })
    expect(unchecked[0]).toContain('who the caller of keys is now is not known')
  })

  it('may be anybody where nobody could ever tell who it is', async () => {
    await using api = await startHidden()
    api.api.behaviour.me = [403, { detail: 'no' }]
    api.want(key('desk', 'desk'))
    await api.apply()
    api.want(key('laptop', 'laptop') + key('desk', 'desk'))
    api.keys.splice(api.keys.length - 1, 1)
    const { changes, unchecked } = await api.check()
    expect(changes).not.toContain('create keys_key.desk')
    expect(unchecked.join()).toContain('nobody could tell as whom it was recorded')
  })

  it('is the recorded one again as soon as it sees the object, and then what is missing is gone', async () => {
    await using api = await startHidden()
    delete api.api.behaviour.hidesOthers
    api.become('ben')
    expect(await api.check()).toMatchObject({ changes: [], unchecked: [] })
    api.keys.splice(0)
    expect((await api.check()).changes).toEqual(['create keys_key.laptop'])
  })

  it('believes a person who confirms that the object is gone', async () => {
    await using api = await startHidden()
    api.become('ben')
    api.want(key('laptop', 'laptop'), 'gone: [{ address: keys_key.laptop, reason: it was sold }]')
    expect((await api.check()).changes).toEqual(['create keys_key.laptop'])
  })
})

describe('a document that names the caller wrongly', () => {
  it.each([
    ['{ read: { method: POST, path: /me }, as: { uuid: uuid } }', 'the request for the caller must be a read'],
    ['{ read: { method: HEAD, path: /me }, as: { uuid: uuid } }', 'an answer without a body does not name the caller'],
    ['{ read: { method: GET, path: /me }, as: {} }', 'name at least one value'],
    [
      '{ read: { method: GET, path: /me }, as: { uuid: token } }',
      '"uuid" is read from "token", which has the name of a secret',
    ],
    ['{ read: { method: GET, path: "/users/{uuid}" }, as: { uuid: uuid } }', 'nothing gives {uuid} a value here'],
    ['{ read: { method: GET, path: "/users/{me.uuid}" }, as: { uuid: uuid } }', 'nothing gives {me.uuid} a value here'],
    ['{ read: { method: GET, path: /me }, as: { id: id } }', 'nothing gives {me.uuid} a value'],
  ])('%s is refused', async (me, message) => {
    await using api = await start({ me: `, me: ${me}` }, [])
    expect((await api.check()).run.error?.message).toContain(message)
  })

  it.each([
    ['a rule', { lookup: '{ list: {}, match: [name], where: { user_uuid: "{me.uuid}" } }', discover: '{}' }],
    ['a query', { lookup: '{ list: { query: { user_uuid: "{me.uuid?}" } }, match: [name] }', discover: '{}' }],
    [
      'a path',
      {
        create: '{ method: POST, path: "/users/{me.uuid}/keys/" }',
        lookup: '{ list: {}, match: [name] }',
        discover: '{}',
      },
    ],
  ])('is reported where it names the caller in %s and nothing says who that is', async (_, document) => {
    await using api = await start({ ...document, me: '' }, [])
    expect((await api.check()).run.error?.message).toMatch(/\{me\.uuid\}/)
  })
})
