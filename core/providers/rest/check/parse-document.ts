import type * as z from 'zod'
import { valueAt } from '../../../engine/json/pointer.ts'
import type { ProviderDocument } from '../../../engine/provider/provider.ts'
import { homeOfKey } from '../../../engine/schema/home-of-key.ts'
import type { Issue, Problem } from '../../../engine/schema/issue.ts'
import { isObject, type Json, type Path } from '../../../engine/schema/json.ts'
import { expectedIn } from '../../../engine/schema/shape-text.ts'
import { withoutExtensions } from '../../../engine/values/extension-keys.ts'
import { suggest } from '../../../engine/values/texts/nearest-word.ts'
import { kindOf, oneOf } from '../../../engine/values/words.ts'
import { type RestDocument, restDocument } from '../document/document.ts'
import { checkAudit } from './audit.ts'
import { checkBulk } from './bulk.ts'
import { checkExpansion } from './expansion.ts'
import { checkIdentity } from './identity.ts'
import { checkCreates, checkLife, checkWaits } from './life.ts'
import { checkAttributes, checkResolvers } from './parts/attributes.ts'
import { checkCarried } from './parts/carried.ts'
import { checkActions, checkPart, checkPatched } from './parts/part.ts'
import { checkProvider } from './provider.ts'
import { checkOperations } from './shared/operation.ts'
import { found, issueAt, problem, valueText } from './shared/problem.ts'
import { checkTemplates } from './shared/variables.ts'
import { fixes, noSuchValue } from './shared/words.ts'
import { checkSignIn } from './sign-in.ts'

export type ParsedDocument =
  | { readonly ok: true; readonly document: RestDocument }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/** Valid documents by what was read of their files, which does not change: each check of a process asks for the same ones. */
const validDocuments = new WeakMap<object, RestDocument>()

/** The shape first; rules between keys are checked only if the shape is valid. */
export const parseDocument = (source: ProviderDocument): ParsedDocument => {
  const { value } = source
  if (typeof value !== 'object' || value === null) return checkedDocument(source)
  const known = validDocuments.get(value)
  if (known !== undefined) return { ok: true, document: known }
  const parsed = checkedDocument(source)
  if (parsed.ok) validDocuments.set(value, parsed.document)
  return parsed
}

const checkedDocument = (source: ProviderDocument): ParsedDocument => {
  const { value } = source
  // Each of its keys would be a problem of its own, and none of them says what the file is.
  if (isObject(value) && !Object.hasOwn(value, 'provider') && descriptionKeys.some((key) => Object.hasOwn(value, key)))
    return { ok: false, issues: [issueAt(source, problem([], 'isDescription', source.file))] }
  const parsed = restDocument.safeParse(withoutExtensions(value), { error: expectedIn })
  const problems = parsed.success
    ? checkDocument(parsed.data)
    : parsed.error.issues.flatMap((issue) => problemsOf(issue, [], source.value))
  if (parsed.success && problems.length === 0) return { ok: true, document: parsed.data }
  return { ok: false, issues: problems.map((problem) => issueAt(source, problem)) }
}

const descriptionKeys = ['openapi', 'swagger'] as const

type ZodIssue = z.core.$ZodIssue

const problemsOf = (issue: ZodIssue, above: Path, whole: Json): readonly Problem[] => {
  const path = [...above, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))]
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.message.split(' ')
    const around = valueAt(whole, path)
    return issue.keys.map((key) => {
      const home = homeOfKey(restDocument, { path, key, around: isObject(around) ? around : {} })
      const fix = suggest(key, keys, home === undefined ? fixes.remove : fixes.move(home.join('.')))
      return problem([...path, key], 'unknownKey', key, fix)
    })
  }
  if (issue.code === 'invalid_union') return unionProblems(issue, path, whole)
  const value = valueAt(whole, path)
  if (value === undefined) return [problem(path, 'missing', String(path.at(-1) ?? ''), shapeIn(issue))]
  const invalid =
    issue.code === 'invalid_type'
      ? problem(path, 'otherKind', path.join('.'), issue.expected, kindOf(value), shapeIn(issue))
      : problem(path, 'invalid', path.join('.'), wordsOf(issue), fixOf(issue, value))
  return [mayBeSecret(path) ? invalid : { ...invalid, value: valueText(value) }]
}

/** A user may have written the secret itself instead of its name. */
const mayBeSecret = ([first, second]: Path): boolean =>
  first === 'provider' && ['auth', 'tls', 'headers', 'params'].includes(String(second))

const shapeIn = ({ code, message }: ZodIssue): string | undefined =>
  code === 'invalid_type' && /^[[{]/.test(message) ? message : undefined

const wordsOf = (issue: ZodIssue): string => {
  if (issue.code === 'invalid_value') return noSuchValue
  const { message } = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue
  return message.charAt(0).toLowerCase() + message.slice(1)
}

const fixOf = (issue: ZodIssue, value: Json): string => {
  if (issue.code === 'invalid_value') {
    const words = issue.values.map(String)
    return typeof value === 'string' ? suggest(value, words) : oneOf(words)
  }
  if (issue.code === 'invalid_key') return fixes.rename
  return fixes.correct
}

/** Of several allowed shapes, the problems of the one that came closest. */
const unionProblems = (
  issue: Extract<ZodIssue, { readonly code: 'invalid_union' }>,
  path: Path,
  whole: Json,
): readonly Problem[] => {
  const word = wrongWord(issue)
  if (word !== undefined) return problemsOf(word, path, whole)
  const branches = issue.errors.map((branch) => branch.flatMap((inner) => problemsOf(inner, path, whole)))
  const closest = branches.toSorted((left, right) => distance(path, left) - distance(path, right))[0]
  return closest ?? [problem(path, 'noSuchForm', path.join('.'))]
}

/** If a literal distinguishes the shapes and none of them has this one: all allowed literals. */
const wrongWord = ({ errors }: Extract<ZodIssue, { readonly code: 'invalid_union' }>): ZodIssue | undefined => {
  const each = errors.map((branch) => branch.find((inner) => inner.code === 'invalid_value'))
  const [first] = each
  if (first?.code !== 'invalid_value' || !each.every((one) => one?.path.join() === first.path.join())) return undefined
  return { ...first, values: each.flatMap((one) => (one?.code === 'invalid_value' ? one.values : [])) }
}

/** How much a problem says that another shape was meant, by its depth below: of the value itself, of one of its keys, of what they hold. */
const weights = [100, 10] as const

/** A deep problem means that the outer levels are valid. */
const distance = (path: Path, problems: readonly Problem[]): number =>
  problems.reduce((sum, problem) => sum + (weights[problem.path.length - path.length] ?? 1), 0)

/** Checks the rules between the keys of a document, without a server or an API description. */
const checkDocument = (document: RestDocument): readonly Problem[] =>
  found(
    [],
    checkProvider(document),
    checkSignIn(document),
    checkResolvers(document),
    Object.entries(document.resources).map(([name, resource]) =>
      found(
        ['resources', name],
        checkOperations(document, resource),
        checkBulk(document, resource),
        checkIdentity(resource),
        checkExpansion(resource),
        checkAudit(resource),
        checkLife(resource),
        checkCarried(resource),
        checkCreates(resource),
        checkActions(resource),
        checkWaits(resource),
        checkTemplates(document, resource),
        resource.parts.map((part, index) =>
          found(['parts', index], checkPart(resource, part), checkPatched(document.provider, resource, part)),
        ),
        checkAttributes(document, resource),
      ),
    ),
  )
