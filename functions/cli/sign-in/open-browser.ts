import { spawn } from 'node:child_process'

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Without a browser nothing happens: the address is shown, too. */
export const openBrowser = (url: string): void => {
  const [program = 'xdg-open', ...words] = openers[process.platform] ?? []
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
