import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { palette } from '../../../core/pages/render/characters/palette.ts'
import type { Host } from '../../../functions/cli/process/host.ts'
import { createOutput } from '../../../functions/cli/terminal/output.ts'
import { outcomeLine } from '../../../functions/cli/terminal/progress.ts'

/** A terminal that keeps what it is sent. */
const aTerminal = (isTTY: boolean) => {
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written) => ({
    isTTY,
    columns: 80,
    write: (text: string) => (written[name] += text),
  })
  const host = {
    variables: {},
    stdin: { isTTY },
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  } as unknown as Host
  return { host, written }
}

/** What hides, moves, reorders, colours or asks the terminal; made of what attacks are made of. */
const evil = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b[2J',
        '\u001b]0;x\u0007',
        '\u009b2J',
        '\u202e',
        '\u2066',
        '\u200b',
        '\r',
        '\b',
        '\u007f',
        '\u0000',
      ),
      fc.constantFrom('\u001b]8;;http://evil\u001b\\', '\u2028', '\ufeff', '\u{e0041}', '\u061c', '\ud800', '\u001bc'),
      fc.string({ maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''))

const unseen = /(?![\n\t\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u
const ourColours = new RegExp(`${String.fromCharCode(27)}\\[\\d{1,2}m`, 'g')
const shows = (text: string): boolean => !unseen.test(text.replaceAll(ourColours, ''))

describe('law: a terminal gets no invisible control character, whatever is printed', () => {
  test.each([true, false])('with colour %s', (color) => {
    fc.assert(
      fc.property(evil, (text) => {
        const { host, written } = aTerminal(true)
        const output = createOutput(host, { json: false, color })
        output.answer({}, () => output.paint.red(text))
        output.raw(text)
        output.text(text)
        output.note(output.paint.yellow(text))
        output.progress(text)
        const told = written.stdout + written.stderr.replaceAll(`\r${String.fromCharCode(27)}[K`, '')
        expect(shows(told)).toBe(true)
        if (!color) expect(told).not.toContain(String.fromCharCode(27))
      }),
    )
  })

  test('also in an outcome that a target describes, which stays one line without its own colours', () => {
    fc.assert(
      fc.property(evil, (text) => {
        const told = outcomeLine(
          { step: 'outcome', id: text, status: 'failed', detail: text },
          { step: 'command', id: text, description: text, n: 1, of: 2 },
          palette(false),
        )
        expect(told).not.toMatch(unseen)
        expect(told).not.toContain('\n')
      }),
    )
  })
})

test.each([true, false])('law: JSON shows all its characters and is read back unchanged; a terminal: %s', (isTTY) => {
  fc.assert(
    fc.property(fc.jsonValue(), evil, (value, text) => {
      const { host, written } = aTerminal(isTTY)
      createOutput(host, { json: true, color: undefined }).answer({ value, text }, () => '')
      expect(shows(written.stdout)).toBe(true)
      expect(JSON.parse(written.stdout)).toEqual(JSON.parse(JSON.stringify({ value, text })))
    }),
  )
})

test('output to a file is unchanged', () => {
  const { host, written } = aTerminal(false)
  createOutput(host, { json: false, color: undefined }).raw('a\u202eb\u001b[2J')
  expect(written.stdout).toBe('a\u202eb\u001b[2J')
})
