import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { waldurToken } from '../../builders/waldur/waldur-rights.ts'
import { openWaldurSite } from '../../builders/waldur/waldur-site.ts'
import { runCommand } from '../../builders/workspaces/command.ts'

/* docs/from-ansible.md: the workspace of the page, and the command list that it shows. */

const root = new URL('../../../', import.meta.url).pathname
const stated = 'https://waldur.example.com'

it('docs/from-ansible.md shows what a check of its workspace lists', async () => {
  const page = await readFile(join(root, 'docs/from-ansible.md'), 'utf8')
  const block = (language: string): string => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? ''
  await using site = await openWaldurSite({ references: 'object' })
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-from-ansible-'))
  try {
    await copyFile(join(root, 'examples/waldur/waldur.provider.yaml'), join(folder, 'waldur.provider.yaml'))
    await writeFile(join(folder, 'plumbline.yaml'), block('yaml').replace(stated, site.url))
    const variables = { WALDUR_TOKEN: waldurToken, NO_COLOR: '1' }
    const { code, stdout } = await runCommand(['check', folder], { folder, variables })
    expect(code).toBe(2)
    const [, commands = ''] = /(Commands \(.*)To apply exactly/s.exec(stdout) ?? []
    /** Addresses and ids are others in each run, and so is where a comment breaks. */
    const plain = (text: string): string =>
      text
        .replaceAll(site.url, stated)
        .replaceAll(/[0-9a-f]{32}/g, '…')
        .replaceAll(/\s+(# )?/g, ' ')
        .trim()
    expect(plain(commands)).toBe(plain(block('text')))
    expect(site.writes()).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
