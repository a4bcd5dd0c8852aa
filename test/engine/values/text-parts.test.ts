import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../core/engine/schema/json.ts'
import { editText, type TextEdit } from '../../../core/engine/values/text-parts/edit.ts'
import { readShellWord, writeShellWord } from '../../../core/engine/values/text-parts/shell-word.ts'
import { parseText, printText } from '../../../core/engine/values/text-parts/text-file.ts'

const line = (startsWith: string, to: string | null, was?: Json): TextEdit => ({
  kind: 'line',
  of: { startsWith, exact: startsWith === to },
  to,
  ...(was === undefined ? {} : { was }),
})
const block = (to: string | null, was?: Json): TextEdit => ({
  kind: 'block',
  of: { name: 'app', comment: '#' },
  to,
  ...(was === undefined ? {} : { was }),
})
const set = (word: 'alias' | 'export', name: string, to: string | null, expand = false, was?: Json): TextEdit => ({
  kind: 'set',
  of: { word, name },
  to: to === null ? null : { value: to, expand },
  ...(was === undefined ? {} : { was }),
})
const section = (to: Json, was?: Json): TextEdit => ({
  kind: 'section',
  of: { section: 'prod' },
  to,
  ...(was === undefined ? {} : { was }),
})

const edited = (text: string, edit: TextEdit): string => {
  const result = editText(text, edit as unknown as Json)
  return result.ok ? result.text : `${result.why}: ${result.detail}`
}

const marked = (inside: string): string => `# >>> plumbline app >>>\n${inside}# <<< plumbline app <<<\n`

describe('an edit of one part of a text', () => {
  it.each<[string, string, TextEdit, string]>([
    ['a line in an empty file', '', line('a', 'a'), 'a\n'],
    ['a line at the end', 'x\n', line('a', 'a'), 'x\na\n'],
    ['a line at the end of a file without a last line feed', 'x', line('a', 'a'), 'x\na'],
    ['a line in a file with CRLF', 'x\r\ny\r\n', line('a', 'a'), 'x\r\ny\r\na\r\n'],
    ['a line in a file that mixes them', 'x\ny\r\n', line('x', 'x2'), 'x2\ny\r\n'],
    ['a line after a byte order mark', '\uFEFFa = 1\n', line('a =', 'a = 2'), '\uFEFFa = 2\n'],
    ['a line in a file that is only a mark', '\uFEFF', line('a', 'a'), '\uFEFFa\n'],
    ['a line away', 'x\na\ny\n', line('a', null), 'x\ny\n'],
    ['the last line away', 'x\na', line('a', null), 'x'],
    ['the only line away', 'a', line('a', null), ''],
    ['a line that is there', 'a', line('a', 'a'), 'a'],
    ['a line that is away', 'x\n', line('a', null), 'x\n'],
    ['a block', 'x\n', block('1\n2\n'), `x\n${marked('1\n2\n')}`],
    ['a block without lines', '', block(''), marked('')],
    ['a block of one empty line', '', block('\n'), marked('\n')],
    ['another content', `x\n${marked('1\n')}y\n`, block('2\n3\n'), `x\n${marked('2\n3\n')}y\n`],
    ['a block away', `x\n${marked('1\n')}y\n`, block(null), 'x\ny\n'],
    ['an alias', '', set('alias', 'll', 'ls -l \'a b\' $HOME "x"'), "alias ll='ls -l '\\''a b'\\'' $HOME \"x\"'\n"],
    [
      'an alias that is indented',
      '  alias ll="ls"  # long\n',
      set('alias', 'll', 'ls -l'),
      "  alias ll='ls -l'  # long\n",
    ],
    [
      'an alias that is set already, in another form',
      'alias ll="ls -l"\n',
      set('alias', 'll', 'ls -l'),
      'alias ll="ls -l"\n',
    ],
    ['a variable', '', set('export', 'A', '$(rm -rf ~) `id`'), "export A='$(rm -rf ~) `id`'\n"],
    [
      'a variable made of others',
      '',
      set('export', 'PATH', '$HOME/bin:${PATH}', true),
      'export PATH="$HOME/bin:${PATH}"\n',
    ],
    ['a variable away', 'a\nexport A=1 # one\nb\n', set('export', 'A', null), 'a\nb\n'],
    ['a comment is no variable', '# export A=1\n', set('export', 'A', '2'), "# export A=1\nexport A='2'\n"],
    [
      'a key',
      '[a]\nk = 1\n\n[prod]\nk = 1\n; note\n\n[b]\nk = 1\n',
      section({ k: '2' }),
      '[a]\nk = 1\n\n[prod]\nk = 2\n; note\n\n[b]\nk = 1\n',
    ],
    ['a key as it is spelled', '[prod]\nk=1  \n', section({ k: '2' }), '[prod]\nk=2  \n'],
    ['a new key', '[prod]\nk = 1\n\n# of b\n[b]\n', section({ n: '2' }), '[prod]\nk = 1\nn = 2\n\n# of b\n[b]\n'],
    ['a key away', '[prod]\nk = 1\nn = 2\n', section({ k: null }), '[prod]\nn = 2\n'],
    [
      'a key with lines of its own stays',
      '[prod]\ns3 =\n  a = 1\nk = 1\n',
      section({ k: '2' }),
      '[prod]\ns3 =\n  a = 1\nk = 2\n',
    ],
    ['a new section', '[a]\nk = 1\n', section({ k: '1' }), '[a]\nk = 1\n\n[prod]\nk = 1\n'],
    ['a section away', '[prod]\nk = 1\nx = 2\n\n# of b\n[b]\nk = 1\n', section(null), '\n# of b\n[b]\nk = 1\n'],
    ['the last section away', '[a]\n\n[prod]\nk = 1\n', section(null), '[a]\n'],
  ])('keeps all other bytes: %s', (_, before, edit, after) => {
    expect(edited(before, edit)).toBe(after)
  })

  it.each<[string, string, TextEdit, string]>([
    ['two lines', 'a1\na2\n', line('a', 'a3'), 'unclear: several lines fit: 1, 2'],
    [
      'two lines to take away',
      'a\nb\na\n',
      { kind: 'line', of: { startsWith: 'a', exact: true }, to: null },
      'unclear: several lines fit: 1, 3',
    ],
    [
      'a block without an end',
      '# >>> plumbline app >>>\n1\n',
      block('2\n'),
      'unclear: the block that begins in line 1 has no end',
    ],
    [
      'an end alone',
      'x\n# <<< plumbline app <<<\n',
      block('2\n'),
      'unclear: the block ends in line 2, and has no beginning',
    ],
    ['two blocks', marked('') + marked(''), block('2\n'), 'unclear: the block begins in several lines: 1, 3'],
    [
      'a torn block',
      marked('# >>> plumbline other >>>\n'),
      block(null),
      'unclear: the block that begins in line 1 has no end',
    ],
    ['two aliases', "alias a='1'\nalias a='2'\n", set('alias', 'a', '3'), 'unclear: a is set in several lines: 1, 2'],
    [
      'an alias with an expansion',
      'alias a="$(id)"\n',
      set('alias', 'a', '3'),
      'unclear: line 1 sets a in a form that is not understood',
    ],
    [
      'an alias beside another',
      'alias b=1 a=2\n',
      set('alias', 'a', '3'),
      'unclear: line 1 sets a in a form that is not understood',
    ],
    [
      'an alias after a command',
      '[ -x ls ] && alias a=2\n',
      set('alias', 'a', '3'),
      'unclear: line 1 sets a in a form that is not understood',
    ],
    [
      'an open quotation',
      "alias a='1\n2'\n",
      set('alias', 'a', '3'),
      'unclear: line 1 sets a in a form that is not understood',
    ],
    [
      'a variable that is exported elsewhere',
      'A=1\nexport A\n',
      set('export', 'A', '3'),
      'unclear: line 1 sets A in a form that is not understood',
    ],
    [
      'a variable that runs something',
      'export A=$(id)\n',
      set('export', 'A', '3'),
      'unclear: line 1 sets A in a form that is not understood',
    ],
    ['a tilde', 'export A=~/bin\n', set('export', 'A', '3'), 'unclear: line 1 sets A in a form that is not understood'],
    [
      'two sections',
      '[prod]\n[prod]\n',
      section({ k: '1' }),
      'unclear: the section prod begins in several lines: 1, 2',
    ],
    ['a key twice', '[prod]\nk = 1\nk = 2\n', section({ k: '3' }), 'unclear: the key k stands in several lines: 2, 3'],
  ])('explains why the part cannot be found for certain: %s', (_, before, edit, said) => {
    expect(edited(before, edit)).toBe(said)
  })

  it.each<[string, TextEdit]>([
    ['a line feed', line('a', 'a\nb')],
    ['a carriage return', line('a', 'a\rb')],
    ['NUL', line('a', 'a\0')],
    ['no line at all', line('', 'a')],
    ['a line that begins otherwise', line('a', 'b')],
    ['the mark of a block', block('x\n# <<< plumbline app <<<\n')],
    ['the mark of another block', block('// >>> plumbline b >>>\n')],
    ['a carriage return in a block', block('x\r\n')],
    ['a line feed in an alias', set('alias', 'a', 'x\ny')],
    ['a name of an alias that runs', set('alias', '$(id)', 'x')],
    ['an option as a name', set('alias', '-p', 'x')],
    ['a name with spaces', set('alias', 'a b', 'x')],
    ['a name of a variable', set('export', 'A-B', 'x')],
    ['an expansion that runs', set('export', 'A', '$(id)', true)],
    ['a backtick', set('export', 'A', '`id`', true)],
    ['a quotation mark', set('export', 'A', 'a"; id; "', true)],
    ['a section that opens another', { kind: 'section', of: { section: 'a]\n[b' }, to: { k: '1' } }],
    ['a value of two lines', section({ k: '1\n[b]' })],
    ['a key that is a section', section({ '[b]': '1' })],
    ['a key with a sign', section({ 'a=b': '1' })],
    ['spaces around a value', section({ k: ' 1' })],
    ['another kind', { kind: 'sed' as 'line', of: {}, to: 'x' }],
    ['an inherited kind', { kind: 'constructor' as 'line', of: {}, to: 'x' }],
    ['no value', { kind: 'line', of: { startsWith: 'a', exact: true }, to: 1 }],
    ['more members', { ...line('a', 'a'), all: true } as TextEdit],
  ])('refuses %s', (_, edit) => {
    expect(edited('x\n', edit)).toMatch(/^invalid: /)
  })

  it.each<[string, string, TextEdit]>([
    ['a line that is there', 'a1\n', line('a', 'a2', null)],
    ['a line that is another', 'a1\n', line('a', 'a2', 'a0')],
    ['an alias that is gone', '', set('alias', 'a', '2', false, { value: '1', expand: false })],
    ['a key that is another', '[prod]\nk = 1\n', section({ k: '2' }, { k: '0' })],
    ['a key that is there', '[prod]\nk = 1\n', section({ k: '2' }, { k: null })],
    ['a section that is there', '[prod]\n', section({ k: '2' }, null)],
  ])('does not overwrite a part that changed since it was read: %s', (_, before, edit) => {
    expect(edited(before, edit)).toBe('changed: it is not as it was when this was planned')
  })

  it('changes nothing where the part is as desired already', () => {
    expect(edited('a2\n', line('a', 'a2', 'a1'))).toBe('a2\n')
    expect(edited('[prod]\nk = 2\nx = 1\n', section({ k: '2' }, null))).toBe('[prod]\nk = 2\nx = 1\n')
  })

  it('treats names that every JavaScript object has as ordinary keys', () => {
    expect(edited('[prod]\n', section({ constructor: '1' }))).toBe('[prod]\nconstructor = 1\n')
    expect(edited('[prod]\n', section({ toString: null }))).toBe('[prod]\n')
  })
})

describe('laws of text parts', () => {
  const anyEnding = fc.constantFrom('\n', '\r\n')
  /** Lines that none of the parts below is in. */
  const otherLine = fc.string({ unit: fc.constantFrom(...' \tabk=[]#;"\'$\\ü') }).map((text) => `.${text}`)
  const file = fc
    .tuple(fc.constantFrom('', '\uFEFF'), fc.array(fc.tuple(otherLine, anyEnding)), fc.boolean())
    .map(([mark, lines, isOpen]) => {
      const text = lines.map(([each, ending]) => each + ending).join('')
      return mark + (isOpen ? text.replace(/\r?\n$/, '') : text)
    })
  const oneLine = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll(/[\n\r\0]/g, ' '))

  it('a text that is changed and changed back is the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\uFEFF', ' ') }), (text) => {
        expect(printText(parseText(text))).toBe(text)
      }),
    )
  })

  const parts: Record<string, (value: string) => TextEdit> = {
    line: (value) => ({ kind: 'line', of: { startsWith: 'K', exact: false }, to: `K${value}` }),
    block: (value) => block(`${value}\n`),
    alias: (value) => set('alias', 'K', value),
    variable: (value) => set('export', 'K', value),
    section: (value) => section({ k: value.trim() }),
  }
  it.each(Object.entries(parts))('adding and removing %s leaves the same bytes', (_, part) => {
    fc.assert(
      fc.property(file, oneLine, (before, value) => {
        const edit = part(value)
        const after = edited(before, edit)
        expect(after.startsWith(before.replace(/\r?\n$/, ''))).toBe(true)
        // Doing it again does nothing.
        expect(edited(after, edit)).toBe(after)
        expect(edited(after, { ...edit, to: null })).toBe(before)
      }),
    )
  })

  it('a key of a section is found again, whatever its value contains', () => {
    const there = edited('', section({ k: 'a\u2028b' }))
    expect(edited(there, section({ k: 'c' }))).toBe('[prod]\nk = c\n')
  })

  it.each(Object.entries(parts))('changing %s leaves the same bytes in all other lines', (_, part) => {
    fc.assert(
      fc.property(file, file, oneLine, oneLine, (before, after, first, second) => {
        const head = before === '' || before === '\uFEFF' ? before : `${before.replace(/\r?\n$/, '')}\n`
        // The keys of a section go on to the next one.
        const tail = `[z]\n${after.replace('\uFEFF', '')}`
        const there = edited(head, part(first))
        const inside = there.slice(head.length)
        const changed = edited(there + tail, part(second))
        expect(changed.startsWith(head)).toBe(true)
        expect(changed.endsWith(tail)).toBe(true)
        expect(edited(changed, part(first)).length).toBe((head + inside + tail).length)
      }),
    )
  })

  it('a word of a shell is read as it was written', () => {
    fc.assert(
      fc.property(oneLine, (value) => {
        expect(readShellWord(writeShellWord({ value, expand: false }))).toEqual({ value, expand: false, rest: '' })
      }),
    )
  })
})
