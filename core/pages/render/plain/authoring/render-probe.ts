import type { Json } from '../../../../engine/schema/json.ts'
import type {
  ProbedLock,
  ProbedStuck,
  ProbeFinding,
  ProbeObject,
  ProbeReport,
} from '../../../../engine/schema/reports/probe-report.ts'
import { present } from '../../../../engine/values/defined.ts'
import { spellJson, spellValue } from '../../../../engine/values/spell-value.ts'
import { shorten } from '../../../../engine/values/texts/shorten.ts'
import { type Palette, palette } from '../../characters/palette.ts'
import { visible } from '../../characters/visible.ts'
import { count } from '../../shared/words.ts'

/**
 * Findings at their places in the document, with what to write there and why. Objects that were left behind come last,
 * marked.
 */
export const renderProbe = (report: ProbeReport, { color = false }: { readonly color?: boolean } = {}): string => {
  const paint = palette(color)
  const blocks = [
    ...report.findings.map((found) => findingText(found, paint)),
    ...report.locks.map((lock) => lockText(lock, paint)),
    ...report.skipped.map(
      ({ type, attribute, detail }) => `${paint.cyan('not probed')}  ${whatText(type, attribute)}: ${visible(detail)}`,
    ),
    summary(report, paint),
    ...(report.stuck === undefined ? [] : [stuckText(report.stuck, paint)]),
    ...report.left.map(
      (object) => `${paint.red('left behind')}  ${renderProbeObject(object)}: ${visible(object.detail)}`,
    ),
  ]
  return `${blocks.join('\n')}\n`
}

const lockText = ({ type, refused, request, status }: ProbedLock, paint: Palette): string => {
  const word = refused ? paint.green('lock holds') : paint.red('lock ignored')
  return `${word}  ${visible(type)}: a stale version was ${refused ? 'refused' : 'taken'} (${visible(request)} answered ${status})`
}

/** The attribute that is still changed, and the whole request that would restore it. */
const stuckText = (stuck: ProbedStuck, paint: Palette): string => {
  const is = stuck.is === undefined ? '' : ` is ${short(stuck.is)} and`
  const undo = stuck.undo.map((request) => `  ${paint.green('to undo:')} ${visible(request)}`)
  const what = `${renderProbeObject(stuck)}: ${visible(stuck.attribute)}${is} was ${short(stuck.was)}: ${visible(stuck.detail)}`
  return [`${paint.red('left changed')}  ${what}`, ...undo].join('\n')
}

/** An object by its type and what identifies it. */
export const renderProbeObject = ({ type, identity }: ProbeObject): string =>
  [
    visible(type),
    ...Object.entries(identity).map(
      ([name, value]) => `${visible(name)}=${value === null ? '(known after apply)' : plain(value)}`,
    ),
  ].join(' ')

const plain = (value: Json): string => visible(spellValue(value))

const whatText = (type: string, attribute: string | undefined): string =>
  visible(attribute === undefined ? type : `${type}.${attribute}`)

const longest = 160

/** As JSON, shortened if it is long: the JSON form of the report has the whole value. */
const short = (value: Json): string => shorten(visible(spellJson(value)), longest)

const findingText = (found: ProbeFinding, paint: Palette): string => {
  const { file, line, column, type, attribute, message, add, evidence } = found
  const place = paint.bold(visible(`${file}:${line}:${column}`))
  const what = whatText(type, attribute)
  const added = Object.entries(add ?? {}).map(([key, value]) => `${key}: ${visible(spellJson(value))}`)
  return present(
    `${place}: ${what}: ${visible(message)}`,
    added.length > 0 && `  ${paint.green('add:')} ${added.join(', ')}`,
    ...evidenceLines(evidence).map((text) => `  ${paint.dim(text)}`),
  ).join('\n')
}

const evidenceLines = ({ request, status, sent, read, said }: ProbeFinding['evidence']): readonly string[] => {
  const values = present(sent !== undefined && `sent ${short(sent)}`, read !== undefined && `read ${short(read)}`)
  const answered = status === undefined ? '' : ` answered ${status}`
  return present(
    request !== undefined && `${visible(request)}${answered}`,
    values.length > 0 && values.join(', '),
    said !== undefined && `response: ${visible(said)}`,
  )
}

const summary = (report: ProbeReport, paint: Palette): string => {
  const { document, made, left, interrupted } = report
  const end = interrupted ? '; interrupted' : ''
  return `${verdict(report, paint)}  ${paint.bold(visible(document))}  ${paint.dim(`${madeText(made, left)}${end}`)}`
}

/** What was not tried is not known to be as described. */
const verdict = ({ findings, made, skipped, interrupted }: ProbeReport, paint: Palette): string => {
  if (findings.length > 0) return paint.yellow(count(findings.length, 'finding'))
  if (made.length === 0) return paint.yellow('nothing probed')
  const isWhole = skipped.length === 0 && !interrupted
  return isWhole ? paint.green('as described') : paint.yellow('as described, as far as it was probed')
}

/** What may be left behind need not be among what is known to be created. */
const madeText = (made: ProbeReport['made'], left: ProbeReport['left']): string => {
  if (made.length === 0) return 'nothing created'
  const stays = new Set(left.map((each) => renderProbeObject(each)))
  const gone = made.filter((each) => !stays.has(renderProbeObject(each))).length
  return `${count(made.length, 'object')} created, ${gone === made.length ? 'and deleted again' : `${count(gone, 'object')} deleted again`}`
}
