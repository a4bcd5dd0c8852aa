import { expect, it } from 'vitest'
import { formatNames, renderChecks, renderPlan } from '../../../core/pages/render/index.ts'
import { aChange, aPlan, object, updated } from '../../builders/values/plans.ts'

const declared = { file: 'zones/a.yaml', line: 3, column: 5 }
const plan = aPlan({
  changes: [aChange({ address: 'a_b.c', action: 'update', diff: object({ at: updated(1, 2) }), position: declared })],
  notes: [{ code: 'IDLE', level: 'warning', message: 'does nothing', fix: 'take it out', ...declared, line: 9 }],
})

const named = formatNames.filter((name) => name !== 'json' && name !== 'summary')

it.each([
  ['', 'zones/a.yaml'],
  ['team/dns', 'team/dns/zones/a.yaml'],
  ['../dns', '../dns/zones/a.yaml'],
])('a file is named from where the reader is, in every format: of the folder "%s" it is %s', async (folder, file) => {
  for (const format of named) {
    for (const page of [
      await renderPlan(plan, { format, folder }),
      await renderChecks([{ workspace: 'w', folder, found: { plan } }], { format }),
    ]) {
      // A fingerprint holds the place too, behind the name of the rule.
      const files = page.replaceAll(/"plumbline\/v1": .*/g, '').match(/[\w./]*zones\/a\.yaml/g) ?? []
      expect(new Set(files), format).toEqual(new Set([file]))
    }
  }
})

it.each([
  ['', undefined],
  ['team/dns', 'team/dns'],
])('JSON keeps the places of the plan, and names the folder that they are from: "%s"', async (folder, named) => {
  const value = JSON.parse(await renderPlan(plan, { format: 'json', folder }))
  expect(value.plumbline.folder).toBe(named)
  expect(value.plumbline.notes[0].file).toBe('zones/a.yaml')
})
