import { changedWords } from '../../../core/engine/diff/matching/changed-words.ts'
import type { Block, ModuleTally, Report } from '../../../core/pages/render/report/report.ts'
import { risks } from '../../../core/pages/render/report/report.ts'
import { quotedParts } from '../../../core/pages/render/rows/lay-out-lines.ts'
import type { Row } from '../../../core/pages/render/rows/row.ts'
import { textRow } from '../../../core/pages/render/rows/row.ts'

/* Pages in few lines, for the formats: each builder fills in what a test does not care about. */

export const aRow = (over: Partial<Row> = {}): Row => ({
  kind: 'attribute',
  action: 'update',
  label: 'kind',
  notes: [],
  causes: [],
  rows: [],
  ...over,
})

/** The marks of a row that tells of two texts. */
const changedBetween = (before: string, after: string): Pick<Row, 'changed'> => {
  const changed = changedWords(before, after) ?? { before: [], after: [] }
  return { changed: { before: quotedParts(before, changed.before), after: quotedParts(after, changed.after) } }
}

export const aBlock = (over: Partial<Block> = {}): Block => ({
  symbol: '~',
  tone: 'update',
  risk: risks.update,
  address: 'pdns_zone.main',
  also: [],
  words: ['will be changed'],
  rows: [aRow({ before: '"Native"', after: '"Master"' })],
  ...over,
})

export const aPage = (over: Partial<Report> = {}): Report => ({
  title: 'acme-dns',
  headline: ['1 change'],
  tone: 'change',
  notes: [],
  tallies: [],
  modules: [],
  sections: [{ kind: 'changes', blocks: [aBlock()] }],
  lists: [],
  ...over,
})

const removed = (address: string, over: Partial<Block> = {}): Block =>
  aBlock({
    symbol: '-',
    tone: 'delete',
    risk: risks.delete,
    address,
    words: ['will be destroyed: it is no longer in the configuration'],
    rows: [aRow({ action: 'delete', label: 'name', before: '"old"' })],
    ...over,
  })

const line = (action: Row['action'], label: string): Row => textRow('line', action, label)

const replaced = aBlock({
  symbol: '-/+',
  tone: 'delete',
  risk: risks.replace,
  address: 'module.eu["a"].module.web.aws_instance.front[0]',
  module: 'module.eu["a"].module.web',
  also: [1, 2, 3].map((n) => `module.eu["a"].module.web.aws_instance.front[${n}]`),
  words: ['will be replaced (destroyed, then created): ', { foreign: 'ami' }, ' cannot be changed in place'],
  place: { file: 'modules/web/main.tf', line: 14, column: 1 },
  rows: [
    aRow({
      label: 'ami',
      before: '"ami-0a1"',
      after: '"ami-0b2"',
      ...changedBetween('ami-0a1', 'ami-0b2'),
      causes: ['pending'],
      notes: ['forces replacement'],
    }),
    aRow({ label: 'arn', before: '"arn:aws:ec2:eu-west-1:123456789012:instance/i-1"', after: '(known after apply)' }),
    aRow({ label: 'password', after: '(sensitive)', notes: ['write-only'] }),
    textRow('fold', 'same', '(27 unchanged attributes)'),
  ],
})

const changed = aBlock({
  address: 'module.eu["a"].aws_iam_policy.readers',
  module: 'module.eu["a"]',
  rows: [
    aRow({
      label: 'description',
      before: '"lets the readers of the European region read what they may"',
      after: '"lets the writers of the European region write what they may"',
      ...changedBetween(
        'lets the readers of the European region read what they may',
        'lets the writers of the European region write what they may',
      ),
      causes: ['drift'],
    }),
    aRow({
      label: 'policy',
      notes: ['JSON text'],
      rows: [
        aRow({
          label: 'Statement',
          rows: [
            textRow('fold', 'same', '(1 unchanged element)'),
            aRow({
              label: '[1]',
              rows: [aRow({ label: 'Effect', before: '"Allow"', after: '"Deny"', causes: ['conflict'] })],
            }),
            aRow({ action: 'create', label: '[2]', after: '{"Sid":"c","Effect":"Allow"}' }),
          ],
        }),
      ],
    }),
    aRow({
      label: 'user_data',
      notes: ['loses its final newline'],
      rows: [
        textRow('fold', 'same', '(9 equal lines)'),
        line('same', '# login'),
        {
          ...line('delete', 'PermitRootLogin yes'),
          parts: [{ text: 'PermitRootLogin ' }, { text: 'yes', changed: true }],
        },
        {
          ...line('create', 'PermitRootLogin no'),
          parts: [{ text: 'PermitRootLogin ' }, { text: 'no', changed: true }],
        },
        line('same', '    PasswordAuthentication no'),
        textRow('fold', 'same', '(2 equal lines)'),
      ],
    }),
    aRow({ action: 'delete', label: '', before: '"10.0.0.1"' }),
    aRow({ label: '日本語', before: '"ありがとう"', after: '"どういたしまして"' }),
    aRow({ label: 'blob', before: `"${'a'.repeat(1_200)}b"`, after: `"${'a'.repeat(1_200)}c"` }),
  ],
})

const moduleTallies: readonly ModuleTally[] = [
  { module: '', depth: 0, label: 'root module', counts: [{ symbol: '-', n: 1 }] },
  { module: 'module.eu["a"]', depth: 0, label: 'module.eu["a"]', counts: [{ symbol: '~', n: 1 }] },
  { module: 'module.eu["a"].module.web', depth: 1, label: 'module.web', counts: [{ symbol: '-/+', n: 4 }] },
]

/** Something of all that a page can hold. */
export const fullPage: Report = aPage({
  title: 'plan.json',
  headline: ['6 changes of ', { foreign: 'eu-west-1' }],
  at: '2026-11-21T06:00:00.123Z',
  notes: [['planning failed part-way: only what was planned before is here']],
  tallies: [
    { symbol: '-', n: 1, words: 'to destroy', addresses: ['aws_s3_bucket.old'] },
    { symbol: '-/+', n: 4, words: 'to replace', addresses: [replaced.address, ...replaced.also] },
    { symbol: '~', n: 1, words: 'to change', addresses: [changed.address] },
    { symbol: '?', n: 1, words: 'could not be checked', addresses: ['rabbitmq_queue.jobs'] },
    { symbol: '', n: 1_200, words: 'unchanged', addresses: [] },
  ],
  modules: moduleTallies,
  sections: [
    {
      kind: 'changes',
      blocks: [
        removed('aws_s3_bucket.old'),
        replaced,
        changed,
        aBlock({ symbol: '.', tone: 'other', risk: risks.move, address: 'a_b.moved', words: ['has moved'], rows: [] }),
        removed('aws_s3_bucket.kept', {
          blocked: true,
          words: ['would be destroyed; BLOCKED, not sent: preventDestroy is set'],
        }),
      ],
    },
    {
      kind: 'drift',
      title: 'Other drift',
      blocks: [aBlock({ address: changed.address, words: ['was changed'], sides: 'last agreed -> now' })],
    },
    {
      kind: 'outputs',
      title: 'Outputs',
      blocks: ['url', 'users'].map((name) =>
        aBlock({ address: name, words: [], rows: [aRow({ label: name, before: '1', after: '2' })] }),
      ),
    },
  ],
  lists: [
    {
      title: 'Could not be checked',
      symbol: '?',
      entries: [{ what: 'rabbitmq_queue.jobs', words: ['no answer in time: ', { foreign: 'GET http://h/ 10 s' }] }],
    },
  ],
  commands: {
    workspace: 'acme-dns',
    digest: `sha256:${'9c'.repeat(32)}`,
    list: [
      {
        id: 'aws_s3_bucket.old#1',
        address: 'aws_s3_bucket.old',
        action: 'delete',
        description: 'delete the bucket',
        grade: 'irreversible',
        dependsOn: [],
        request: { method: 'DELETE', url: 'https://s3.example/old?force=no', effect: 'write' },
      },
      {
        id: 'pdns_zone.main#1',
        address: 'pdns_zone.main',
        action: 'update',
        description: 'write the zone',
        grade: 'reversible',
        dependsOn: ['aws_s3_bucket.old#1'],
        request: {
          method: 'PUT',
          url: 'https://dns.example/zones/main',
          effect: 'write',
          headers: { 'content-type': 'application/json' },
          body: { kind: 'Master', note: 'x < y && "z"' },
        },
      },
    ],
  },
})
