import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Running, runCommand, startCommand, tearoom } from '../../builders/workspaces/command.ts'

/* Each command in its local and its remote form: both change the same store. */

let room: Awaited<ReturnType<typeof tearoom>>
let dev: Running
let id: string
const places: Record<'here' | 'there', Record<string, string>> = { here: {}, there: {} }

const run = (place: keyof typeof places, ...args: readonly string[]) =>
  runCommand(['episodes', ...args], { folder: room.folder, variables: places[place] })
const listed = async (place: keyof typeof places) =>
  JSON.parse((await run(place, 'list', 'tea-room', '--json')).stdout).items
const change = (place: keyof typeof places, verb: string, ...args: readonly string[]) =>
  run(place, verb, id, '-w', 'tea-room', '--reason', `because ${verb}`, ...args)
const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toISOString()

beforeAll(async () => {
  room = await tearoom()
  expect((await runCommand(['check'], { folder: room.folder })).code).toBe(0)
  await writeFile(join(room.folder, 'machine', 'motd'), 'Coffee only today.\n')
  expect((await runCommand(['check'], { folder: room.folder })).code).toBe(2)
  await runCommand(['workspace', 'pause', 'tea-room', '--reason', 'tests'], { folder: room.folder })
  dev = await startCommand(['dev', '--port', '0', '--every', '0'], { folder: room.folder })
  const [, token = ''] = await dev.says(/PLUMBLINE_TOKEN=(\S+)/)
  const [, url = ''] = await dev.says(/(http:\/\/127\.0\.0\.1:\d+)/)
  places.there = { PLUMBLINE_ENDPOINT: url, PLUMBLINE_TOKEN: token }
  const [first] = await listed('here')
  id = first.id
})

afterAll(async () => {
  dev.child.kill('SIGTERM')
  await dev.ended
  await room.remove()
})

test('episodes are listed alike here and at the endpoint', async () => {
  expect(await listed('there')).toEqual(await listed('here'))
  const { stdout } = await run('here', 'list', 'tea-room')
  expect(stdout).toMatch(new RegExp(`^${id} {2}drift {2}(low|medium|high) .* findings? {2}since `, 'm'))
  expect((await run('there', 'list', 'tea-room')).stdout).toBe(stdout)
})

test.each(['here', 'there'] as const)('an episode is snoozed and unsnoozed %s', async (place) => {
  const snoozed = await change(place, 'snooze', '--until', tomorrow)
  expect(snoozed).toMatchObject({ code: 0, stdout: expect.stringMatching(/snoozed until .* by .*: because snooze$/m) })
  expect(await listed('here')).toContainEqual(
    expect.objectContaining({ id, snoozed: expect.objectContaining({ until: tomorrow }) }),
  )
  expect(await change(place, 'unsnooze')).toMatchObject({ code: 0 })
  const [{ snoozed: ended }] = await listed('there')
  expect(Date.parse(ended.until)).toBeLessThanOrEqual(Date.now())
})

test('an episode is acknowledged once, by whoever was first', async () => {
  expect(await change('there', 'acknowledge')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/acknowledged .* via api: because acknowledge/),
  })
  expect((await change('here', 'acknowledge')).stdout).toMatch(/acknowledged .* via api: because acknowledge/)
})

test.each(['here', 'there'] as const)(
  'a wrong episode and a wrong time are named with what to do %s',
  async (place) => {
    const unknown = await run(place, 'acknowledge', 'nothing', '-w', 'tea-room', '--reason', 'x')
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('has no episode "nothing"') })
    const past = await change(place, 'snooze', '--until', '2020-01-01')
    expect(past).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a snooze cannot end at 2020-01-01T00:00:00.000Z'),
    })
  },
)
