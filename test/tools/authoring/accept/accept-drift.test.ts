import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { eachOf } from '../../../builders/long.ts'
import { boxes, type Changed, changedLines, head } from '../../../builders/workspaces/boxes-workspace.ts'

/** Two resources; the second one is there to be changed by accident. */
const pair = (one: string, variables = '', two = ''): string => `${variables}resources:
  - type: box_item
    name: one
    spec:
      name: one
      owner: a
${one}  - type: box_item
    name: two
    spec:
      name: two
      owner: a
${two}`

type Row = readonly [what: string, text: string, live: JsonObject, change: Changed, lines: readonly string[]]

const rows: readonly Row[] = [
  ['a number', pair('      ttl: 60 # seconds\n'), { ttl: 60 }, { ttl: 90 }, ['-      ttl: 60 # seconds', '+      ttl: 90 # seconds']],
  ['a boolean', pair('      on: true\n'), { on: true }, { on: false }, ['-      on: true', '+      on: false']],
  ['a text that needs quotes', pair('      note: x\n'), { note: 'x' }, { note: '0600' }, ['-      note: x', '+      note: "0600"']],
  ['a text that looks like a reference', pair('      note: x\n'), { note: 'x' }, { note: '${x}' }, ['-      note: x', '+      note: $${x}']],
  ['a value that is gone', pair('      note: x # n\n'), { note: 'x' }, { note: null }, ['-      note: x # n', '+      note: null # n']],
  ['a value that has become its default', pair('      size: big\n'), { size: 'big' }, { size: undefined }, ['-      size: big', '+      size: small']],
  ['a line of a text', pair('      note: |\n        one\n        two\n'), { note: 'one\ntwo\n' }, { note: 'one\n2\n' }, ['-        two', '+        2']],
  ['an element of a list', pair('      hosts:\n        - a # A\n        - b # B\n'), { hosts: ['a', 'b'] }, { hosts: ['c', 'a', 'b'] }, ['+        - c']],
  ['an element of a list less', pair('      hosts: [a, b, c]\n'), { hosts: ['a', 'b', 'c'] }, { hosts: ['a', 'c'] }, ['-      hosts: [a, b, c]', '+      hosts: [a, c]']],
  ['a list becomes empty', pair('      hosts: # h\n        - a\n'), { hosts: ['a'] }, { hosts: [] }, ['-      hosts: # h', '-        - a', '+      hosts: [] # h']],
  ['an empty list is filled', pair('      hosts: []\n'), { hosts: [] }, { hosts: ['a'] }, ['-      hosts: []', '+      hosts:', '+        - a']],
  ['a set in another order', pair('      tags:\n        - z\n        - a\n'), { tags: ['a', 'z'] }, { tags: ['m', 'a', 'z'] }, ['+        - m']],
  ['an element of a set less', pair('      tags:\n        - z\n        - a # A\n'), { tags: ['a', 'z'] }, { tags: ['z'] }, ['-        - a # A']],
  ['a member of an object', pair('      address: { city: x, zip: 1 } # a\n'), { address: { city: 'x', zip: 1, code: 'c' } }, { address: { city: 'x', zip: 2, code: 'd' } }, ['-      address: { city: x, zip: 1 } # a', '+      address: { city: x, zip: 2 } # a']],
  ['a member that is not declared is not taken', pair('      address:\n        city: x\n'), { address: { city: 'x', zip: 1 } }, { address: { city: 'y', zip: 2 } }, ['-        city: x', '+        city: "y"']],
  ['a key of a map more', pair('      labels:\n        env: prod\n'), { labels: { env: 'prod' } }, { labels: { env: 'prod', 'a b': '1' } }, ['+        "a b": "1"']],
  ['a key of a map less', pair('      labels:\n        env: prod # e\n        zone: eu\n'), { labels: { env: 'prod', zone: 'eu' } }, { labels: { zone: 'eu' } }, ['-        env: prod # e']],
  ['a key that others manage is not taken', pair('      kept: { env: prod }\n'), { kept: { env: 'prod' } }, { kept: { env: 'dev', other: 'x' } }, ['-      kept: { env: prod }', '+      kept: { env: dev }']],
  ['an element of a keyed set', pair('      rows:\n        - { id: b, value: 2 }\n        # about a\n        - { id: a, value: x } # A\n'.replace('value: 2', 'value: y')), { rows: [{ id: 'a', value: 'x', state: 's' }, { id: 'b', value: 'y' }] }, { rows: [{ id: 'a', value: 'z', state: 't' }, { id: 'b', value: 'y' }] }, ['-        - { id: a, value: x } # A', '+        - { id: a, value: z } # A']],
  ['an unmanaged element of an exclusive set', pair('      rows:\n        - { id: a, value: x }\n'), { rows: [{ id: 'a', value: 'x' }] }, { rows: [{ id: 'a', value: 'x' }, { id: 'b', value: 'y', state: 's', ports: [1] }] }, ['+        - { id: b, value: "y", ports: [1] }']],
  ['an element of an exclusive set less', pair('      rows:\n        - id: a\n          value: x\n        - id: b\n'), { rows: [{ id: 'a', value: 'x' }, { id: 'b' }] }, { rows: [{ id: 'b' }] }, ['-        - id: a', '-          value: x']],
  ['a list deep inside', pair('      rows:\n        - id: a\n          ports:\n            - 1 # one\n            - 2\n'), { rows: [{ id: 'a', ports: [1, 2] }] }, { rows: [{ id: 'a', ports: [1, 3, 2] }] }, ['+            - 3']],
  ['a keyed set inside a keyed set', pair('      rows:\n        - id: a\n          pairs: [{ k: x, v: "1" }, { k: y, v: "2" }]\n'), { rows: [{ id: 'a', pairs: [{ k: 'y', v: '2' }, { k: 'x', v: '1' }] }] }, { rows: [{ id: 'a', pairs: [{ k: 'x', v: '3' }] }] }, ['-          pairs: [{ k: x, v: "1" }, { k: y, v: "2" }]', '+          pairs: [{ k: x, v: "3" }]']],
  ['inside of any value', pair('      free:\n        list:\n          - { n: 1, m: "${workspace}" }\n          - { n: 2 }\n'), { free: { list: [{ n: 1, m: 'boxes' }, { n: 2 }] } }, { free: { list: [{ n: 5, m: 'boxes' }, { n: 2 }], more: true } }, ['-          - { n: 1, m: "${workspace}" }', '+          - { n: 5, m: "${workspace}" }', '+        more: true']],
  ['an immutable attribute', pair('      fixed: x\n'), { fixed: 'x' }, { fixed: 'y' }, ['-      fixed: x', '+      fixed: "y"']],
  ['the default of a variable that is used once', pair('      ttl: "${var.t}"\n', 'variables:\n  t: { type: number, default: 60 } # t\n'), { ttl: 60 }, { ttl: 90 }, ['-  t: { type: number, default: 60 } # t', '+  t: { type: number, default: 90 } # t']],
  ['a part of a variable', pair('      note: "${var.t.x[0]}"\n', 'variables:\n  t:\n    type: map\n    default:\n      x: [a] # x\n'), { note: 'a' }, { note: 'b' }, ['-      x: [a] # x', '+      x: [b] # x']],
  ['a variable within a text', pair('      note: "v${var.t}!"\n', 'variables: { t: { type: number, default: 1 } }\n'), { note: 'v1!' }, { note: 'v2!' }, ['-variables: { t: { type: number, default: 1 } }', '+variables: { t: { type: number, default: 2 } }']],
  ['the text around a variable', pair('      note: |\n        it is ${var.t}\n        costs $${5}\n', 'variables: { t: { type: string, default: four } }\n'), { note: 'it is four\ncosts ${5}\n' }, { note: 'it was four\ncosts ${6}\n' }, ['-        it is ${var.t}', '-        costs $${5}', '+        it was ${var.t}', '+        costs $${6}']],
  ['a list that is a variable', pair('      hosts: "${var.h}"\n', 'variables:\n  h:\n    type: list\n    default:\n      - a\n      - b\n'), { hosts: ['a', 'b'] }, { hosts: ['a', 'b', 'c'] }, ['+      - c']],
  ['an anchor that nothing else uses', pair('      ttl: *t\n', 'variables:\n  t: { type: number, default: &t 60 }\n'), { ttl: 60 }, { ttl: 90 }, ['-  t: { type: number, default: &t 60 }', '+  t: { type: number, default: &t 90 }']],
  ['an element that is a reference stays', pair('      hosts: ["${var.h}", b]\n', 'variables: { h: { type: string, default: a } }\n'), { hosts: ['a', 'b'] }, { hosts: ['a', 'c'] }, ['-      hosts: ["${var.h}", b]', '+      hosts: ["${var.h}", c]']],
] // biome-ignore format: one table

describe('an accepted live value is written where it is declared', () => {
  eachOf(it, 2)(rows)('keeps the rest of the file: %s', async (_, text, live, change, lines) => {
    const world = await boxes(text, { one: { owner: 'a', ...live }, two: { owner: 'a' } })
    expect((await world.check()).run.status).toBe('in_sync')
    world.change('one', change)
    const accepted = await world.accept('box_item.one')
    expect(accepted.report.refused).toEqual([])
    expect(changedLines(accepted)).toEqual(lines)
    expect(world.sent.filter((line) => !line.startsWith('GET'))).toEqual([])
    world.configure(accepted.changed[0]?.after ?? '')
    expect((await world.check()).run.status).toBe('in_sync')
  })

  eachOf(it, 10)(rows)('a second accept has nothing to do: %s', async (_, text, live) => {
    const world = await boxes(text, { one: { owner: 'a', ...live }, two: { owner: 'a' } })
    const { report, changed } = await world.accept('box_item.one')
    expect([report.accepted, report.refused, report.left, changed]).toEqual([[], [], [], []])
  })
})

type Refused = readonly [what: string, text: string, live: JsonObject, change: Changed, reason: string, detail: RegExp]

const refused: readonly Refused[] = [
  ['a secret', pair('      token: { secret: "env:TOKEN" }\n'), { token: 'a-token-of-some-length' }, { token: 'another-token-of-theirs' }, 'secret', /never written/],
  ['the key of the object', pair('      note: x\n'), { note: 'x' }, undefined, 'deleted', /deleted/],
  ['a variable that another resource uses', pair('      ttl: "${var.t}"\n', 'variables: { t: { type: number, default: 60 } }\n', '      ttl: "${var.t}"\n'), { ttl: 60 }, { ttl: 90 }, 'elsewhere', /variable t.*box_item\.two ttl/],
  ['a variable of a provider', pair('      note: "${var.t}"\n', 'variables: { t: { type: string, default: boxes.test } }\n'), { note: 'boxes.test' }, { note: 'x' }, 'elsewhere', /providers/],
  ['an anchor of another resource', pair('      hosts: *h\n', 'variables: { h: { type: list, default: &h [a] } }\n', '      hosts: *h\n'), { hosts: ['a'] }, { hosts: ['b'] }, 'elsewhere', /box_item\.two hosts/],
  ['a merge key of another resource', pair('      <<: *d\n', 'variables: { d: { type: map, default: &d { ttl: 60 } } }\n', '      <<: *d\n'), { ttl: 60 }, { ttl: 90 }, 'elsewhere', /box_item\.two ttl/],
  ['the name of the workspace', pair('      note: "${workspace}"\n'), { note: 'boxes' }, { note: 'x' }, 'reference', /name of the workspace/],
  ['a text of two parts', pair('      note: "${var.t}-${workspace}"\n', 'variables: { t: { type: string, default: a } }\n'), { note: 'a-boxes' }, { note: 'b-boxes' }, 'reference', /built of parts/],
  ['a text around a variable', pair('      note: "v${var.t}!"\n', 'variables: { t: { type: string, default: a } }\n'), { note: 'va!' }, { note: 'x' }, 'reference', /built of parts/],
  ['a variable of another type', pair('      free: "${var.t}"\n', 'variables: { t: { type: number, default: 1 } }\n'), { free: 1 }, { free: 'x' }, 'invalid', /not valid/],
  ['a value of another resource', pair('      note: "${resource.box_item.two.owner}"\n'), { note: 'a' }, { note: 'b' }, 'elsewhere', /box_item\.two owner/],
  ['a live value of another resource', pair('      note: "${resource.box_item.two.made}"\n'), { note: 'm' }, { note: 'x' }, 'reference', /live value of box_item\.two made/],
  ['a key that would be a reference', pair('      labels: { a: b }\n'), { labels: { a: 'b' } }, { labels: { a: 'b', '${x}': 'c' } }, 'unwritable', /no configuration/],
  ['a text that is secret', pair('      note: x\n      token: { secret: "env:TOKEN" }\n'), { note: 'x', token: 'a-token-of-some-length' }, { note: 'it is a-token-of-some-length' }, 'secret', /never written/],
] // biome-ignore format: one table

describe('a value that cannot be accepted is refused, and nothing is changed', () => {
  it.each(refused)('with the reason: %s', async (_, text, live, change, reason, detail) => {
    const provider = text.includes('variable of a provider') ? '' : text
    const whole = _.includes('of a provider')
      ? { text: `${head.replace('provider.yaml }', 'provider.yaml, with: { label: "${var.t}" } }')}${text}` }
      : {}
    const two = { owner: 'a', made: 'm', ttl: 60, hosts: ['a'] }
    const world = await boxes(provider, { one: { owner: 'a', ...live }, two }, whole)
    world.change('one', change)
    const { report, changed } = await world.accept('box_item.one')
    expect(changed).toEqual([])
    expect(report.accepted).toEqual([])
    expect(report.refused).toMatchObject([{ address: 'box_item.one', reason }])
    expect(report.refused[0]?.detail).toMatch(detail)
    expect(JSON.stringify(report)).not.toMatch(/-token-of-/)
  })

  it.each(['of a resource', 'of a variable'])('a value %s is refused in a file that was evaluated', async (what) => {
    const isVariable = what === 'of a variable'
    const text = head.replace(/^/, 'include: [parts/a.jsonnet]\n')
    const own = [{ type: 'box_item', name: 'one', spec: { name: 'one', owner: 'a', note: 'x' } }]
    const entry = JSON.stringify({ ...(parse(head) as object), variables: { t: { type: 'string', default: 'x' } } })
    const read = pair('      note: "${var.t}"\n')
    const world = await boxes(
      '',
      { one: { owner: 'a', note: 'x' }, two: { owner: 'a' } },
      isVariable
        ? {
            entry: 'plumbline.jsonnet',
            text: entry.replace(/^\{/, '{"include":["parts/a.yaml"],'),
            files: { 'parts/a.yaml': read },
          }
        : { text, files: { 'parts/a.jsonnet': JSON.stringify({ resources: own }) } },
    )
    world.change('one', { note: 'y' })
    const { report, changed } = await world.accept('box_item.one')
    expect(changed).toEqual([])
    expect(report.refused).toMatchObject([{ address: 'box_item.one', path: 'note', reason: 'evaluated' }])
  })
})
