import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from './site.ts'
import { workspaceFolder } from './workspace-folder.ts'

/* docs/from-ansible.md: the workspace of the page, and the command list that it shows. */

const page = readFileSync(join(import.meta.dirname, '../../../docs/from-ansible.md'), 'utf8')
const block = (language: string): string => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

/** Addresses and ids are others in each run, and so is where a comment breaks. */
const plain = (text: string): string =>
  text
    .replaceAll(site.proxy.baseUrl, 'https://waldur.example.com')
    .replaceAll(/[0-9a-f]{32}/g, '…')
    .replaceAll(/\s+(# )?/g, ' ')

it('shows what a check of its workspace lists', async () => {
  using folder = workspaceFolder(block('yaml').replace('https://waldur.example.com', site.proxy.baseUrl))
  const { ended, output } = folder.run('check')
  expect(await ended).toBe(2)
  const [, commands = ''] = /(Commands \(.*)To apply exactly/s.exec(output()) ?? []
  expect(plain(commands).trim()).toBe(plain(block('text')).trim())
  expect(site.proxy.writes).toEqual([])
})
