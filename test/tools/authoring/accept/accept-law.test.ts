import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { chooser, values, writtenMembers } from '../../../builders/generators/written-documents.ts'
import { lawRuns } from '../../../builders/laws.ts'
import { boxes } from '../../../builders/workspaces/boxes-workspace.ts'

const text = fc.constantFrom('a', 'b', 'yes', '1', ' x', 'a: b', 'l1\nl2\n', '${var.t}', '🚀', '')
const row = fc.record({
  id: fc.constantFrom('r1', 'r2', 'r3', 'r 4'),
  value: text,
  ports: fc.array(fc.nat(9), { maxLength: 3 }),
})
/** What an object can have; equal for the configuration and for what somebody makes of it. */
const items = fc.record({
  ttl: fc.nat(900),
  note: text,
  hosts: fc.array(text, { maxLength: 4 }),
  tags: fc.uniqueArray(text, { maxLength: 4 }),
  free: values.filter((value) => value !== null),
  labels: fc.dictionary(fc.constantFrom('a', 'b c', 'on', '1'), text, { maxKeys: 3, noNullPrototype: true }),
  rows: fc.uniqueArray(row, { maxLength: 3, selector: ({ id }) => id }),
})
const tapes = fc.array(fc.nat({ max: 1000 }), { minLength: 40, maxLength: 80 })

/** As it is written: a plain `${` is `$${`. */
const escaped = (value: Json): Json => JSON.parse(JSON.stringify(value).replaceAll('${', '$${')) as Json

it('each outside change is accepted, or refused with a reason; then nothing accepted differs, and a second accept has nothing to do', () =>
  fc.assert(
    fc.asyncProperty(items, items, tapes, async (desired, live, tape) => {
      const spec = escaped({ name: 'one', owner: 'a', ...desired } as JsonObject) as JsonObject
      const lines = writtenMembers(spec, chooser(tape)).join('').split('\n')
      const written = lines.map((line) => (line === '' ? '' : `      ${line}`)).join('\n')
      const world = await boxes(`resources:\n  - type: box_item\n    name: one\n    spec:\n${written}`, {
        one: { owner: 'a', ...desired } as JsonObject,
      })
      const first = await world.check()
      fc.pre(first.run.status === 'in_sync')
      world.change('one', live as JsonObject)
      const before = (await world.check()).plan?.changes[0]?.causes.length ?? 0
      const { report, changed } = await world.accept()
      // A null that is gone counts as an edit of the configuration: nothing was there before either.
      expect(report.accepted.length + report.refused.length + report.left.length).toBe(before)
      for (const { reason } of report.refused) expect(['unwritable', 'required']).toContain(reason)
      if (changed[0] !== undefined) world.configure(changed[0].after)
      const { plan } = await world.check()
      expect(plan?.changes[0]?.causes.length ?? 0).toBe(report.refused.length + report.left.length)
      expect((await world.accept()).changed).toEqual([])
    }),
    lawRuns(60),
  ))
