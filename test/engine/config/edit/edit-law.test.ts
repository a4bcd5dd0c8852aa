import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDocument } from '../../../../core/engine/config/edit/edit-document.ts'
import { parseDocument } from '../../../../core/engine/config/syntax/parse-document.ts'
import { setAt, valueAt } from '../../../../core/engine/json/pointer.ts'
import type { Json, Path } from '../../../../core/engine/schema/json.ts'
import { type Choose, chooser, values, writtenMembers } from '../../../builders/generators/written-documents.ts'
import { lawRuns } from '../../../builders/laws.ts'

const roots = fc.tuple(values, values, values).map(([k0, k1, k2]) => ({ k0, k1, k2 }))
const tapes = fc.array(fc.nat({ max: 1000 }), { minLength: 40, maxLength: 80 })

/** A path to a value inside one of the members. */
const pathIn = (root: Json, choose: Choose): Path => {
  const path: (string | number)[] = [`k${choose(3)}`]
  for (let value = valueAt(root, path); typeof value === 'object' && value !== null; value = valueAt(root, path)) {
    const steps = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
    const step = steps[choose(steps.length + 1)]
    if (step === undefined) break
    path.push(step)
  }
  return path
}

/** A value that is near to the old one: with one part more, less, or other. */
const varied = (old: Json, other: Json, choose: Choose): Json => {
  if (Array.isArray(old)) {
    const at = choose(old.length + 1)
    return old.toSpliced(at, choose(2), ...(choose(3) === 0 ? [] : [other]))
  }
  if (typeof old !== 'object' || old === null || choose(5) === 0) return other
  const names = Object.keys(old)
  const gone = names[choose(names.length + 1)]
  const kept = Object.entries(old).filter(([name]) => name !== gone)
  return Object.fromEntries([...kept, ...(choose(2) === 0 ? [['new', other] as const] : [])])
}

const runs = lawRuns(400)

describe('a changed text', () => {
  it.each(['\n', '\r\n'])(
    'means the new value and all others as before, and no line of another member changes: %j',
    (eol) =>
      fc.assert(
        fc.property(roots, values, tapes, (root, other, tape) => {
          const choose = chooser(tape)
          const members = writtenMembers(root, choose).map((text) => text.replaceAll('\n', eol))
          const isOpen = choose(3) === 0
          const text = isOpen ? members.join('').replace(/(\r?\n)+$/, '') : members.join('')
          fc.pre(JSON.stringify(parseDocument('a.yaml', text).value) === JSON.stringify(root))
          const path = pathIn(root, choose)
          const value = varied(valueAt(root, path) ?? null, other, choose)
          const edited = editDocument('a.yaml', text, [{ path, value }])
          if ('problem' in edited) throw new Error(`${edited.problem}: ${JSON.stringify({ path, value })}\n${text}`)
          expect(parseDocument('a.yaml', edited.text).value).toEqual(setAt(root, path, value))
          const at = Number(String(path[0]).slice(1))
          expect(edited.text.startsWith(members.slice(0, at).join(''))).toBe(true)
          const rest = members.slice(at + 1).join('')
          expect(edited.text.endsWith(isOpen ? rest.replace(/(\r?\n)+$/, '') : rest)).toBe(true)
          if (eol === '\r\n') expect(edited.text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
        }),
        runs,
      ),
  )

  it('keeps its comments where one scalar replaces another', () =>
    fc.assert(
      fc.property(roots, fc.constantFrom('x', 'yes', 3, true, 'a: b'), tapes, (root, value, tape) => {
        const choose = chooser(tape)
        const text = writtenMembers(root, choose).join('')
        fc.pre(JSON.stringify(parseDocument('a.yaml', text).value) === JSON.stringify(root) && !text.includes(' |'))
        const path = pathIn(root, choose)
        const old = valueAt(root, path)
        fc.pre(old !== null && typeof old !== 'object' && !(typeof old === 'string' && old.includes('\n')))
        const edited = editDocument('a.yaml', text, [{ path, value }])
        if ('problem' in edited) throw new Error(edited.problem)
        const [before, after] = [text.split('\n'), edited.text.split('\n')]
        const changed = before.flatMap((line, place) => (line === after[place] ? [] : [place]))
        expect(after).toHaveLength(before.length)
        expect(changed.length).toBeLessThanOrEqual(1)
        for (const place of changed)
          expect(after[place]?.match(/ # beside *$/)?.[0]).toBe(before[place]?.match(/ # beside *$/)?.[0])
      }),
      runs,
    ))

  it('keeps all other values if it is JSON', () =>
    fc.assert(
      fc.property(roots, values, tapes, fc.constantFrom(0, 2, '\t'), (root, other, tape, indent) => {
        const choose = chooser(tape)
        const text = JSON.stringify(root, null, indent)
        const path = pathIn(root, choose)
        const value = varied(valueAt(root, path) ?? null, other, choose)
        const edited = editDocument('a.json', text, [{ path, value }])
        if ('problem' in edited) throw new Error(`${edited.problem}: ${JSON.stringify({ path, value })}\n${text}`)
        expect(JSON.parse(edited.text)).toEqual(setAt(root, path, value))
      }),
      runs,
    ))
})

describe('a file with an integer beyond 2^53', () => {
  const large = { $number: '9007199254740993' }
  it.each([
    ['a.yaml', 'a: 9007199254740993\nb: 1 # beside\n', 'a: 9007199254740993\nb: 9007199254740993 # beside\n'],
    ['a.json', '{"a": 9007199254740993, "b": 1}\n', '{"a": 9007199254740993, "b": 9007199254740993}\n'],
  ])('keeps all its digits, also those of a new value: %s', (file, text, expected) => {
    expect(editDocument(file, text, [{ path: ['b'], value: large }])).toEqual({ text: expected })
  })
})
