import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../builders/workspaces/command.ts'

let root: string
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-issue-places-')))
  await mkdir(join(root, 'teams', 'mail'), { recursive: true })
  await writeFile(join(root, 'teams', 'mail', 'plumbline.yaml'), 'workspace: mail\nproviders: {}\nresource: []\n')
  await writeFile(join(root, 'values.json'), '{ "town": "Rome" }')
})
afterAll(() => rm(root, { recursive: true, force: true }))

const folder = 'teams/mail'
const place = 'teams/mail/plumbline.yaml:3:1: unknown key "resource"'

describe('the place of a problem in a configuration', () => {
  it.each(['check', 'validate', 'permissions', 'graph', 'list'])('is told from where `%s` runs', async (name) => {
    const { code, stdout, stderr } = await runCommand([name, folder], { folder: root })
    expect(code).toBe(1)
    expect(stdout + stderr).toContain(place)
    const inside = await runCommand([name], { folder: join(root, folder) })
    expect(inside.stdout + inside.stderr).toContain(place.replace('teams/mail/', ''))
  })

  it.each(['check', 'validate'])('stays as written for what the options of `%s` name', async (name) => {
    const options = ['--var-file', 'values.json', '--var', 'city=Rome']
    const { stderr } = await runCommand([name, folder, ...options], { folder: root })
    expect(stderr).toContain(place)
    expect(stderr).toMatch(/^values\.json:1:\d+: there is no variable "town"/m)
    expect(stderr).toMatch(/^--var city: there is no variable "city"/m)
  })
})
