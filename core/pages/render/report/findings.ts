import type { Position } from '../../../engine/schema/resource.ts'
import { defined } from '../../../engine/values/defined.ts'
import { palette } from '../characters/palette.ts'
import { type Prose, plain } from '../characters/prose.ts'
import { visible } from '../characters/visible.ts'
import { printRows } from '../rows/print-rows.ts'
import type { FindingLevel, ReportList } from './lists.ts'
import { type Block, type Report, risks, type Section } from './report.ts'

/*
 * What a pipeline is told of a report: one finding for each resource that is not as it should be, or could not be checked, and
 * for each note. The formats for pipelines are functions of these, so that they agree about what fails.
 */

interface FindingKind {
  /** What it means. */
  readonly means: string
  /** What people do about it. */
  readonly help: string
}

export const findingRules = {
  create: {
    means: 'A declared object was not found',
    help: 'An apply creates it. If it should not exist, remove it from the configuration.',
  },
  update: {
    means: 'An attribute is not as it is declared',
    help: 'An apply sets it. To keep what the target has, accept it into the configuration.',
  },
  replace: {
    means: 'An object can become as it is declared only by a new one',
    help: 'An apply makes a new object in its place. lifecycle.onImmutable decides whether it may.',
  },
  delete: {
    means: 'An object exists that should not',
    help: 'An apply deletes it. To keep it, declare it.',
  },
  drift: {
    means: 'Something was changed outside',
    help: 'An apply sets back what is declared. To keep the change, accept it into the configuration.',
  },
  orphaned: {
    means: 'A resource stays different: it left the configuration, or it is not selected',
    help: 'Declare it again, or decide by lifecycle.orphan what happens to it.',
  },
  other: { means: 'Something else differs', help: 'The text of the finding says what.' },
  unchecked: {
    means: 'A resource could not be checked',
    help: 'The text of the finding says why. Nothing is planned for it before it can be read.',
  },
  note: {
    means: 'The configuration has a part without effect, or one that nothing checks',
    help: 'No check fails because of it. Correct the configuration where the text says so.',
  },
  head: {
    means: 'Something holds for the whole plan, such as a policy that refuses to apply it',
    help: 'Read it before you apply.',
  },
} as const satisfies Record<string, FindingKind>

type FindingRule = keyof typeof findingRules

export interface ReportFinding {
  readonly level: FindingLevel
  readonly rule: FindingRule
  /** An address, or what else it is about; safe to print. */
  readonly what: string
  /** One line, safe to print. */
  readonly words: string
  /** The changed attributes, as a diff without colours. */
  readonly details: readonly string[]
  /** From where the reader is. */
  readonly place?: Position
}

/** The most severe first, as on a page. A report that is not good has at least one that fails. */
export const findingsOf = (report: Report): readonly ReportFinding[] => {
  const found = [...report.sections.flatMap(sectionFindings), ...report.lists.flatMap(listFindings)]
  const isSilent = report.tone === 'unknown' && !found.some(fails)
  return isSilent ? [wholeFinding(report), ...found] : [...found, ...report.notes.map(noteFinding(report))]
}

export const fails = ({ level }: ReportFinding): boolean => level !== 'note'

/** How many resources are as they should be. */
export const unchangedIn = ({ tallies }: Report): number => tallies.find(({ symbol }) => symbol === '')?.n ?? 0

/** Of a report that says that something is missing, and not of which resource. */
const wholeFinding = (report: Report): ReportFinding => ({
  level: 'error',
  rule: 'unchecked',
  what: visible(report.title),
  words: plain(report.headline),
  details: report.notes.map(plain),
})

/** What stands before everything else on a page, such as that the policy would refuse an apply. */
const noteFinding =
  ({ title }: Report) =>
  (note: Prose): ReportFinding => ({
    level: 'note',
    rule: 'head',
    what: visible(title),
    words: plain(note),
    details: [],
  })

/** Objects are shown because they are there, and not because something is wrong with them. */
const sectionFindings = (section: Section): readonly ReportFinding[] =>
  section.kind === 'objects' ? [] : section.blocks.flatMap((block) => blockFindings(block, section))

const blockFindings = (block: Block, section: Section): readonly ReportFinding[] =>
  [block.address, ...block.also].map((address) => ({
    level: section.idle ? 'note' : 'difference',
    rule: section.kind === 'drift' ? 'drift' : ruleOf(block),
    what: visible(address),
    words: `${plain(block.words)}${block.brief ?? ''}`,
    details: detailsOf(block),
    ...defined({ place: block.place }),
  }))

const rules = new Map<number, FindingRule>([
  [risks.create, 'create'],
  [risks.update, 'update'],
  [risks.replace, 'replace'],
  [risks.delete, 'delete'],
])

const ruleOf = ({ risk }: Block): FindingRule => rules.get(risk) ?? 'other'

const signs = { create: '+', delete: '-', update: '~', same: ' ' } as const

const detailsOf = ({ rows }: Block): readonly string[] =>
  printRows(rows, {
    paint: palette(false),
    line: (action, depth, text) => `${signs[action]} ${'  '.repeat(depth)}${text}`.trimEnd(),
  })

const listRules = { error: 'unchecked', difference: 'orphaned', note: 'note' } as const

const listFindings = ({ title, entries }: ReportList): readonly ReportFinding[] =>
  entries.flatMap(({ what, also = [], words, level, place }) =>
    level === undefined
      ? []
      : [what, ...also].map((each) => ({
          level,
          rule: listRules[level],
          what: visible(each),
          words: `${title.toLowerCase()}: ${plain(words)}`,
          details: [],
          ...defined({ place }),
        })),
  )
