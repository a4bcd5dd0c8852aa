import { createInterface } from 'node:readline/promises'
import { printable } from '#core'
import type { Host } from '../process/host.ts'

/** True for the word `yes` and nothing else; the end of the input means no. */
export const ask = async (question: string, { stdin, stderr }: Pick<Host, 'stdin' | 'stderr'>): Promise<boolean> => {
  const lines = createInterface({ input: stdin, output: stderr })
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return (await Promise.race([lines.question(printable(question)), closed])).trim() === 'yes'
  } finally {
    lines.close()
  }
}
