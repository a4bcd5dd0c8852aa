import type { Json, Path } from '../../../schema/json.ts'
import { isStraight } from '../../../schema/url.ts'
import { namesStatus } from '../../../transport/answer/absence.ts'
import type { Problem } from '../../provider.ts'
import type { BodyRuleEntry, ErrorsEntry } from '../document/answers.ts'
import type { AuthEntry, LoginEntry, TokenUseEntry } from '../document/auth.ts'
import { isRead, type Operation } from '../document/operation.ts'
import type { Pagination } from '../document/pages.ts'
import { problem } from '../document/problem.ts'
import type { RestSettings } from '../document/provider.ts'
import { variablesOf } from '../document/template.ts'
import { checkRule } from './operation.ts'

const under = (path: Path, problems: readonly Problem[]): readonly Problem[] =>
  problems.map((found) => ({ ...found, path: [...path, ...found.path] }))

/** How a provider is reached: signing in, certificates, pages and what its answers mean. */
export const checkReach = (provider: RestSettings): readonly Problem[] => [
  ...under(['provider', 'auth'], provider.auth === undefined ? [] : checkAuth(provider.auth)),
  ...under(['provider', 'tls'], checkTls(provider)),
  ...(provider.socket !== undefined && provider.redirects === 'anyOrigin'
    ? [problem(['provider', 'redirects'], 'nothing leaves a socket, wherever it redirects to', 'remove it, or socket')]
    : []),
  ...checkRedirects(provider),
  ...under(['provider', 'pagination'], checkPages(provider.pagination)),
  ...under(['provider', 'errors'], provider.errors === undefined ? [] : checkErrors(provider.errors)),
  ...under(['provider', 'envelope'], checkEnvelope(provider)),
  ...(provider.reads.emptyWhen === undefined
    ? []
    : checkEmptyWhen(provider.reads.emptyWhen, ['provider', 'reads', 'emptyWhen'])),
]

const checkAuth = (auth: AuthEntry): readonly Problem[] => {
  if ('header' in auth) return checkVariable(['header', 'template'], auth.header.template, '{secret}')
  if ('oauth2' in auth) return under(['oauth2', 'send'], checkUse(auth.oauth2.send))
  return 'login' in auth ? under(['login'], checkLogin(auth.login)) : []
}

const checkLogin = ({ basic, always, send, also = [] }: LoginEntry): readonly Problem[] => {
  const uses = [{ at: ['send'], use: send }, ...also.map((more, n) => ({ at: ['also', n, 'send'], use: more.send }))]
  const isTwice = uses.some(({ use }) => 'header' in use && use.header.toLowerCase() === 'authorization')
  return [
    ...uses.flatMap(({ at, use }) => under(at, checkUse(use))),
    ...(always === true && basic === undefined
      ? [problem(['always'], 'there is nothing that could go along', 'add basic: { user, password }')]
      : []),
    ...(always === true && isTwice
      ? [problem(['always'], 'the token is sent in the header that basic needs', 'send the token in another header')]
      : []),
  ]
}

const checkUse = ({ template }: TokenUseEntry): readonly Problem[] => checkVariable(['template'], template, '{token}')

const checkVariable = (path: Path, template: string, variable: string): readonly Problem[] =>
  template.includes(variable)
    ? []
    : [
        problem(
          path,
          `the template has no ${variable}, so that nothing would sign in`,
          `write ${variable} where it goes`,
        ),
      ]

const checkTls = ({ tls }: RestSettings): readonly Problem[] => {
  if (tls === undefined || (tls.cert === undefined) === (tls.key === undefined)) return []
  const [is, lacks] = tls.cert === undefined ? ['key', 'cert'] : ['cert', 'key']
  return [problem([is], `a client signs in with a cert and its key, and there is no ${lacks}`, `add tls.${lacks}`)]
}

/** What would never be followed is not promised. */
const checkRedirects = ({ redirects, auth, tls }: RestSettings): readonly Problem[] =>
  redirects === 'anyOrigin' && (auth !== undefined || tls !== undefined)
    ? [
        problem(
          ['provider', 'redirects'],
          'a request that proves who we are is never redirected to another origin',
          'take redirects out, or give the address that the API redirects to as baseUrl',
        ),
      ]
    : []

const checkEnvelope = ({ envelope }: RestSettings): readonly Problem[] => {
  const isHollow = envelope?.body !== undefined && !hasFields(envelope.body)
  return isHollow ? [problem(['body'], 'the envelope has no {fields}, so that nothing would be sent', 'add it')] : []
}

const hasFields = (body: Json): boolean => variablesOf(body).some(([first]) => first === 'fields')

const checkErrors = ({ when = [] }: ErrorsEntry): readonly Problem[] =>
  when.flatMap((rule, index) => [
    ...checkRule(rule, ['when', index]),
    ...(rule.means < 400
      ? [
          problem(
            ['when', index, 'means'],
            `status ${rule.means} is no failure`,
            'give the status that it should have had',
          ),
        ]
      : []),
  ])

const checkPages = (pagination: Pagination): readonly Problem[] => {
  if (pagination.style === 'page' || pagination.style === 'offset') return checkCounted(pagination)
  if (pagination.style !== 'cursor') return []
  const { next, last, param, in: where } = pagination
  const isUrl = param === undefined
  return [
    ...((next === undefined) === (last === undefined)
      ? [problem([], 'a cursor is in the answer or in its last item', 'give one of next and last')]
      : []),
    ...(isUrl && last !== undefined
      ? [problem(['last'], 'the last item gives a value, and no param takes it', 'add param')]
      : []),
    ...(isUrl && where === 'body' ? [problem(['in'], 'a body needs a place for the cursor', 'add param')] : []),
  ]
}

const checkCounted = (pagination: Extract<Pagination, { readonly style: 'page' | 'offset' }>): readonly Problem[] => {
  const { shortEnds, size, total } = pagination
  const counts = 'pages' in pagination && pagination.pages !== undefined
  return [
    ...(shortEnds && size === undefined
      ? [problem(['shortEnds'], 'nobody knows which page is short without a size', 'add size: { param, value }')]
      : []),
    ...(counts && total !== undefined
      ? [problem(['total'], 'the number of pages ends the list already', 'give one of pages and total')]
      : []),
  ]
}

/** A rule that only says what is not there would hold of a failure too. */
const checkEmptyWhen = (rules: readonly BodyRuleEntry[], path: Path): readonly Problem[] => [
  ...rules.flatMap((rule, index) => checkRule(rule, [...path, index])),
  ...(rules.every(({ exists, is, not }) => exists !== true && is === undefined && not === undefined)
    ? [problem(path, 'every answer without the list would count as an empty one', 'say what an empty one holds: is')]
    : []),
]

/** What an operation says about its pages and answers, and what it may send. */
export const checkAnswers = (operation: Operation): readonly Problem[] => {
  const { method, path, body, absent = [], unknown = {}, errors, pagination, emptyWhen = [] } = operation
  const isBare = method === 'GET' || method === 'HEAD'
  const both = Object.keys(unknown).filter((status) => namesStatus(absent, Number(status)))
  return [
    ...both.map((status) =>
      problem(['unknown', status], `status ${status} is both absent and unknown`, 'keep it in one of the two'),
    ),
    ...(errors === undefined ? [] : under(['errors'], checkErrors(errors))),
    ...(emptyWhen.length === 0 ? [] : checkEmptyWhen(emptyWhen, ['emptyWhen'])),
    ...(pagination === undefined ? [] : under(['pagination'], checkPages(pagination))),
    ...(pagination !== undefined && 'in' in pagination && pagination.in === 'body' && (isBare || !isRead(operation))
      ? [problem(['pagination', 'in'], `a ${method} that lists has no body to ask in`, 'use a POST with effect: read')]
      : []),
    ...(isBare && body !== undefined && body !== 'none'
      ? [problem(['body'], `a ${method} sends no body`, 'put it under query, or use another method')]
      : []),
    ...(isStraight(path)
      ? []
      : [problem(['path'], 'an empty, "." or ".." segment of a path is lost on the way', 'write the path without it')]),
  ]
}
