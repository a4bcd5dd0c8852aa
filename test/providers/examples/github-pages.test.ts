import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { long } from '../../builders/long.ts'
import { isAsDocumented, stepsOf, withPrinted } from '../../builders/pages/documented-steps.ts'
import { playPage } from '../../builders/pages/play-page.ts'
import { startExample } from '../../github/start-example.ts'

/* What the READMEs say is typed by a reader, and what they print is what the READMEs say. `vitest -u` writes it into them. */

const stated = 'http://127.0.0.1:11300'

it.each(['github', 'otterdog'])('examples/%s does what its README says', long, async (name) => {
  const source = new URL(`../../../examples/${name}/`, import.meta.url).pathname
  const page = await readFile(join(source, 'README.md'), 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-example-'))
  const { github } = await startExample()
  try {
    await cp(source, folder, { recursive: true, filter: (path) => !path.includes('.plumbline') || path === source })
    const file = join(folder, 'plumbline.yaml')
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(stated, github.url))
    const played = await playPage(page, {
      folder,
      real: (text) => text.replaceAll(stated, github.url),
      documented: (text) => text.replaceAll(github.url, stated),
    })
    expect(played.filter(({ code }) => code !== 0 && code !== 2)).toEqual([])
    await expect(
      withPrinted(
        page,
        played.map(({ stdout }) => stdout),
      ),
    ).toMatchFileSnapshot(join(source, 'README.md'))
    expect(github.violations).toEqual([])
  } finally {
    await github.close()
    await rm(folder, { recursive: true, force: true })
  }
})

describe('the output of a command on a page', () => {
  const page = 'Type\n\n```sh\na b\n```\n\n```text\none 2026-01-01T00:00:00Z\n...\nlast\n```\n\n```sh\nc\n```\n'
  it('is found below the command', () => {
    expect(stepsOf(page)).toEqual([
      { commands: 'a b\n', printed: 'one 2026-01-01T00:00:00Z\n...\nlast\n' },
      { commands: 'c\n' },
    ])
  })
  it.each([
    ['one 2026-11-23T10:00:01.5Z\ntwo\nlast\n', true],
    ['one 2026-11-23T10:00:01.5Z\nlast\n', true],
    ['one 2026-11-23T10:00:01.5Z\nlast\nmore\n', false],
    ['one\nlast\n', false],
    ['', false],
  ])('%j is as documented: %s', (printed, isIt) => {
    const [first] = stepsOf(page)
    expect(isAsDocumented(first?.printed ?? '', printed)).toBe(isIt)
    expect(withPrinted(page, [printed, '']) === page).toBe(isIt)
  })
})
