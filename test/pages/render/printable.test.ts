import { expect, test } from 'vitest'
import { inOneLine, printable } from '../../../core/pages/render/characters/visible.ts'

const red = '\u001b[31m'
const plain = '\u001b[0m'

test.each<[string, string, boolean, string]>([
  ['plain text', 'a\tb\n', false, 'a\tb\n'],
  ['letters', 'grün 日本', false, 'grün 日本'],
  ['our colours where there are colours', `${red}ü${plain} ${red}é${plain}`, true, `${red}ü${plain} ${red}é${plain}`],
  ['no colours where there are none', `${red}ü`, false, '\\u001b[31mü'],
  [
    'no other sequence, among colours either',
    `${red}ü${plain}\u001b]0;title\u0007`,
    true,
    `${red}ü${plain}\\u001b]0;title\\u0007`,
  ],
  ['no direction of writing', 'a\u202eb', true, 'a\\u202eb'],
])('a terminal gets only printable text from %s', (_, text, color, expected) => {
  expect(printable(text, color)).toBe(expected)
})

test('the message of another program is one line without anything that moves the cursor', () => {
  expect(inOneLine('Invalid request.\n\n  rules/2 is wrong\r\n')).toBe('Invalid request. rules/2 is wrong')
  expect(inOneLine(`${red}a\tb`)).toBe('\\u001b[31ma\\tb')
})
