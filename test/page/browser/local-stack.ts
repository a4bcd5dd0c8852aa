import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { startCommand, tearoom } from '../../builders/workspaces/command.ts'

/** `plumbline dev` in a copy of a folder, on a free port. */
export interface LocalStack {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly folder: string
  readonly token: string
  /** The link that works now: each works once. */
  link(): string
  /** Replaces a file as an editor does, all at once: a check may look at any moment. */
  edit(file: string, text: string): Promise<void>
  read(file: string): Promise<string>
  /** Signs in, and comes to a place: `#/w/tea-room`. */
  open(page: Page, hash?: string): Promise<void>
  stop(): Promise<void>
}

const link = /http:\/\/127\.0\.0\.1:\d+\/sign-in\/[\w-]+/

export const startLocalStack = async (): Promise<LocalStack> => {
  const { folder, remove } = await tearoom()
  const running = await startCommand(['dev', '.', '--port', '0'], { folder })
  const [, token = ''] = await running.says(/PLUMBLINE_TOKEN=(\S+)/)
  const [url = ''] = await running.says(/http:\/\/127\.0\.0\.1:\d+/)
  await running.says(/in sync/)
  const lastLink = (): string => [...running.stdout().matchAll(new RegExp(link, 'g'))].at(-1)?.[0] ?? ''
  return {
    url,
    folder,
    token,
    link: lastLink,
    edit: async (file, text) => {
      const beside = join(folder, 'edited')
      await writeFile(beside, text)
      await rename(beside, join(folder, file))
    },
    read: (file) => readFile(join(folder, file), 'utf8'),
    open: async (page, hash = '') => {
      const said = running.stdout().length
      await page.goto(lastLink())
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
      // The next link is shown, so that the next browser finds it.
      await running.says(link, said)
      if (hash !== '') await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
    },
    stop: async () => {
      running.child.kill('SIGINT')
      await running.ended
      await remove()
    },
  }
}
