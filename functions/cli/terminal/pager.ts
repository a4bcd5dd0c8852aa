import { spawnSync } from 'node:child_process'
import type { Host } from '../process/host.ts'

/** `R` shows colours, `F` ends by itself if all fits, `X` leaves the page on the screen. */
const lessOptions = 'FRX'

/**
 * Shows a text with the pager of the reader, if it is longer than the screen. False: nothing was shown, because there is no
 * pager, or all of it fits. `PAGER=cat`, or an empty one, means none.
 */
export const showInPager = (text: string, { stdin, stdout, variables }: Host): boolean => {
  const { rows = 0 } = stdout
  const pager = variables['PAGER'] ?? 'less'
  const [command = '', ...options] = pager.split(/\s+/).filter((word) => word !== '')
  if (stdout !== process.stdout || stdout.isTTY !== true || stdin.isTTY !== true) return false
  if (command === '' || command === 'cat' || text.split('\n').length < rows) return false
  const { error } = spawnSync(command, options, {
    input: text,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...variables, LESS: variables['LESS'] ?? lessOptions },
  })
  return error === undefined
}
