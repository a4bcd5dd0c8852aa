import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { driftFindings, uncheckedFindings } from '../../../core/engine/alert/finding.ts'
import type { Command } from '../../../core/engine/schema/command.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import type { Plan } from '../../../core/engine/schema/stored/plan.ts'
import { toCurl } from '../../../core/engine/transport/curl/curl.ts'
import { spellJson, spellValue } from '../../../core/engine/values/spell-value.ts'
import { renderImport } from '../../../core/pages/render/plain/authoring/render-import.ts'
import { renderProbe, renderProbeObject } from '../../../core/pages/render/plain/authoring/render-probe.ts'
import { renderAlert } from '../../../core/pages/render/plain/render-alert.ts'
import { renderCommands } from '../../../core/pages/render/plain/render-commands.ts'
import { lawRuns } from '../../builders/laws.ts'
import { aCommand } from '../../builders/values/plans.ts'
import { formatNames, renderPlan } from '../../builders/values/rendered.ts'
import { digestOfSecret, someObject, somePlan, someValue } from './arbitrary-plan.ts'

/*
 * A mark stands for something else than plain JSON, and none is for people. The marks of the generator sit at every place that
 * a value can stand at; foreign JSON that only looks like one holds other texts, and may show.
 */

const after = { $after: 'a_b.c', pointer: '/id' }

/** A command with values wherever it has one. */
const someCommand: fc.Arbitrary<Command> = fc
  .record({
    body: someValue,
    keys: someObject,
    holds: someObject,
    order: fc.array(someObject, { maxLength: 2 }),
    ok: someValue,
  })
  .map(({ body, keys, holds, order, ok }) =>
    aCommand({
      address: 'a_b.d',
      description: 'a request',
      request: {
        method: 'POST',
        url: ['http://api.test/', after, '?a=b'],
        effect: 'write',
        headers: {},
        body,
        auth: {
          kind: 'header',
          name: 'X-Key',
          template: '{secret}',
          secret: { $secret: 'env:T', digest: digestOfSecret },
        },
      },
      precondition: { kind: 'reread', digest: 'sha256:0', identity: { keys, ids: {} } },
      about: Object.keys(holds).length > 1 ? { of: 'rules', order } : { of: 'rules', key: keys, holds },
      wait: [
        {
          when: { statuses: [202] },
          state: '/state',
          ok: [ok],
          error: [],
          intervalSeconds: 1,
          timeoutSeconds: 60,
        } as never,
      ],
    }),
  )

const marked: fc.Arbitrary<Plan> = fc
  .tuple(somePlan, fc.array(someCommand, { maxLength: 2 }))
  .map(([plan, commands]) => ({ ...plan, commands: [...plan.commands, ...commands] }))

/** As a text, with quotes escaped any number of times. A `$ref` of an object is foreign JSON: a mark has an address. */
const marks =
  /\[object |\$(after|sealed|concat|number|live)(\\|&quot;|")*\s*:|\$secret(\\|&quot;|")*\s*:(\\|&quot;|"|\s)*env:|\$(ref|literal)(\\|&quot;|")*\s*:(\\|&quot;|"|\s)*a_b|\$literal(\\|&quot;|")*\s*:(\\|&quot;|"|\s)*\{/

const withoutOwnPart = (page: string): string => {
  const { plumbline: _, ...readers } = JSON.parse(page) as JsonObject
  return JSON.stringify(readers)
}

/** What cannot be digested is refused before anybody hears of it. */
const sound = (plan: Plan): Plan => JSON.parse(JSON.stringify(plan).replaceAll(/\\ud[89a-f][0-9a-f]{2}/gi, '?')) as Plan

const alertOf = (plan: Plan) => ({
  kind: 'opened' as const,
  about: 'drift' as const,
  severity: 'high' as const,
  workspace: 'w',
  at: '2026-11-22T05:00:00Z',
  runId: 'r',
  findings: [...driftFindings(plan), ...uncheckedFindings(plan)],
  findingsLeftOut: 0,
})

const pages: Readonly<Record<string, (plan: Plan) => string>> = {
  ...Object.fromEntries(formatNames.map((format) => [format, (plan: Plan) => renderPlan(plan, { format, width: 90 })])),
  // What is ours in it is for programs, and documented with its marks.
  json: (plan) => withoutOwnPart(renderPlan(plan, { format: 'json' })),
  commands: (plan) => renderCommands(plan.commands),
  curl: (plan) => plan.commands.map(({ request }) => toCurl(request)).join('\n'),
  alert: (plan) =>
    (['text', 'subject', 'sms'] as const)
      .map((form) => renderAlert(alertOf(sound(plan)) as never, { form }))
      .join('\n'),
}

describe.each(Object.keys(pages))('a plan full of internal marks as %s', (name) => {
  it('shows none of the marks', () =>
    fc.assert(
      fc.property(marked, (plan) => {
        expect(pages[name]?.(plan)).not.toMatch(marks)
      }),
      lawRuns(300),
    ))
})

const values: Readonly<Record<string, (value: Json) => string>> = {
  'a label': spellValue,
  JSON: spellJson,
  'an object of a probe': (value) => renderProbeObject({ type: 'a_b', identity: { name: value } }),
  'a finding of a probe': (value) =>
    renderProbe({
      document: 'd',
      findings: [
        {
          file: 'f',
          line: 1,
          column: 1,
          type: 'a_b',
          code: 'filledIn',
          message: 'm',
          add: { default: value },
          evidence: { sent: value, read: value },
        },
      ],
      locks: [],
      skipped: [],
      made: [],
      left: [],
      interrupted: false,
    }),
  'an import': (value) =>
    renderImport({
      workspace: 'w',
      resources: [],
      text: '',
      managed: 0,
      unlisted: [],
      unread: [{ type: 'a_b', provider: 'a', identity: { name: value }, reason: 'absent', detail: '' }],
      differing: [],
      unchecked: [],
      issues: [],
    }),
}

it.each(Object.keys(values))('a value full of internal marks shows none in %s', (name) =>
  fc.assert(
    fc.property(someValue, (value) => {
      const shown = values[name]?.(value)
      expect(shown).not.toMatch(marks)
      expect(shown).not.toContain(digestOfSecret)
    }),
    lawRuns(500),
  ),
)

it('the JSON for people can be parsed', () =>
  fc.assert(
    fc.property(someValue, (value) => void JSON.parse(spellJson(value))),
    lawRuns(500),
  ))
