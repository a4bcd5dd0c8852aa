import fc from 'fast-check'
import { type Blind, failures } from './spoil.ts'

/* Sequences as numbers: which object or address a step means is decided when it is played, so that every part of a sequence is one too. */

const doings = [
  'declare',
  'declare zone',
  'undeclare',
  'hand over',
  'import',
  'relabel',
  'move',
  'rename',
  'rename and relabel',
  'swap',
  'edit',
  'reparent',
  'lifecycle',
  'forbid',
  'rename outside',
  'create outside',
  'delete outside',
  'recreate outside',
  'reorder outside',
  'edit outside',
  'refit outside',
  'reparent outside',
  'impostor outside',
  'twin outside',
  'copy',
  'another workspace',
  'restore records',
  'restore server',
  'check',
  'apply',
] as const
export type Doing = (typeof doings)[number]

/** What may go wrong with an apply, at the n-th write to the target or to the store. */
export type Mishap =
  | { readonly kind: 'none' }
  /** The worker dies; the same apply is run again, somebody checks and applies anew, or nobody does anything for now. */
  | {
      readonly kind: 'crash'
      readonly at: 'send' | 'store'
      readonly n: number
      readonly when: 'before' | 'after'
      readonly next: 'again' | 'anew' | 'nothing'
    }
  /** It is done, and the answer is lost. */
  | { readonly kind: 'lost'; readonly n: number }
  /** Somebody else does something after it. */
  | { readonly kind: 'meddle'; readonly n: number; readonly step: Step }
  /** Somebody else does something between the plan and the apply. */
  | { readonly kind: 'late'; readonly step: Step }

export interface Step {
  readonly do: Doing
  /** Which, and what: counted around. */
  readonly a: number
  readonly b: number
  readonly c: number
  readonly mishap: Mishap
  /** Of a check or an apply: which of its reads fail. */
  readonly blind?: Blind
}

const none: Mishap = { kind: 'none' }
export const step = (does: Doing, a = 0, b = 0, c = 0, mishap: Mishap = none): Step => ({ do: does, a, b, c, mishap })

const small = fc.nat(5)

const outside: fc.Arbitrary<Step> = fc
  .record({ do: fc.constantFrom(...doings.filter((each) => each.endsWith(' outside'))), a: small, b: small, c: small })
  .map((each) => ({ ...each, mishap: none }))

const nth = fc.integer({ min: 1, max: 4 })

const crash: fc.Arbitrary<Mishap> = fc.record({
  kind: fc.constant('crash' as const),
  at: fc.constantFrom('send' as const, 'store' as const),
  n: fc.integer({ min: 1, max: 12 }),
  when: fc.constantFrom('before' as const, 'after' as const),
  next: fc.constantFrom('again' as const, 'anew' as const, 'nothing' as const),
})

const lost: fc.Arbitrary<Mishap> = fc.record({ kind: fc.constant('lost' as const), n: nth })
const late: fc.Arbitrary<Mishap> = fc.record({ kind: fc.constant('late' as const), step: outside })
const meddle: fc.Arbitrary<Mishap> = fc.record({ kind: fc.constant('meddle' as const), n: nth, step: outside })

export interface StepOptions {
  /** What is done besides declaring and applying. */
  readonly does?: readonly Doing[]
  /** Which mishaps of applies are tried. */
  readonly mishaps?: readonly Mishap['kind'][]
  /** Whether reads fail; they do when absent. */
  readonly blind?: boolean
}

const mishapOf = ({ mishaps = ['crash', 'lost', 'late'] }: StepOptions): fc.Arbitrary<Mishap> => {
  const kinds = { crash, lost, late, meddle }
  const chosen = mishaps.flatMap((kind) => (kind === 'none' ? [] : [{ weight: 1, arbitrary: kinds[kind] }]))
  return fc.oneof({ weight: 6, arbitrary: fc.constant<Mishap>(none) }, ...chosen)
}

const unhurt = (does: fc.Arbitrary<Doing>): fc.Arbitrary<Step> =>
  fc.record({ do: does, a: small, b: small, c: small }).map((each) => ({ ...each, mishap: none }))

/**
 * What happens to the very object that then leaves, shall not exist or is called otherwise: by chance alone these meet too
 * seldom. All steps of one chain mean the same.
 */
const chains: readonly (readonly Doing[])[] = [
  ['rename outside', 'undeclare'],
  ['rename outside', 'check', 'undeclare'],
  ['rename outside', 'forbid'],
  ['hand over', 'check'],
  ['create outside', 'import'],
  ['hand over', 'check', 'import'],
  ['import', 'check', 'rename outside'],
  ['hand over', 'check', 'declare'],
  ['recreate outside', 'undeclare'],
  ['recreate outside', 'forbid'],
  ['recreate outside', 'rename'],
  ['reparent outside', 'undeclare'],
  ['refit outside', 'check'],
  ['refit outside', 'check', 'undeclare'],
  ['refit outside', 'rename'],
  ['impostor outside', 'undeclare'],
  ['delete outside', 'check', 'undeclare'],
  ['restore records', 'check', 'undeclare'],
  ['restore records', 'undeclare', 'apply'],
  ['undeclare', 'apply', 'restore records', 'declare'],
  ['delete outside', 'check', 'restore server'],
  ['undeclare', 'apply', 'restore server', 'check'],
  ['recreate outside', 'check', 'restore server'],
  ['twin outside', 'undeclare'],
  ['twin outside', 'check', 'delete outside', 'undeclare'],
  ['twin outside', 'undeclare', 'check', 'delete outside'],
  ['twin outside', 'check', 'delete outside', 'rename'],
  ['twin outside', 'check', 'delete outside', 'forbid'],
]

const chain: fc.Arbitrary<readonly Step[]> = fc
  .record({ of: fc.constantFrom(...chains), a: fc.nat(2), b: small, c: small })
  .map(({ of, a, b, c }) => of.map((each) => step(each, a, b, c)))

const anyBlind: fc.Arbitrary<Blind> = fc.record({
  how: fc.constantFrom(...failures),
  from: fc.constantFrom(0, 0, 0, 1, 2, 3, 5, 8, 12),
  which: fc.constantFrom(0, 1, 2, 3),
})

/** Some of its reads fail, sometimes. */
const blinded = (steps: fc.Arbitrary<Step>, { blind = true }: StepOptions): fc.Arbitrary<Step> =>
  blind
    ? fc
        .tuple(steps, fc.option(anyBlind, { freq: 4, nil: undefined }))
        .map(([each, how]) => (how === undefined ? each : { ...each, blind: how }))
    : steps

/** Something is declared and mostly applied; then anything happens. */
export const anySteps = (options: StepOptions = {}): fc.Arbitrary<readonly Step[]> => {
  const declare = unhurt(fc.constantFrom('declare', 'declare', 'declare zone'))
  const { does = doings } = options
  const quiet = unhurt(fc.constantFrom(...does.filter((each) => each !== 'apply')))
  const apply = blinded(
    fc.record({ do: fc.constant('apply' as const), a: small, b: small, c: small, mishap: mishapOf(options) }),
    options,
  )
  const check = blinded(unhurt(fc.constant('check')), options)
  const first = fc.tuple(
    fc.array(declare, { minLength: 1, maxLength: 4, size: 'max' }),
    fc.array(apply, { maxLength: 1, size: 'max' }),
  )
  const one = fc
    .oneof({ weight: 5, arbitrary: quiet }, { weight: 2, arbitrary: apply }, { weight: 1, arbitrary: check })
    .map((each) => [each])
  const chained = options.does === undefined ? [{ weight: 1, arbitrary: chain }] : []
  const rest = fc.array(fc.oneof({ weight: 5, arbitrary: one }, ...chained), { maxLength: 8, size: 'max' })
  return fc.tuple(first, rest).map(([[declared, applied], others]) => [...declared, ...applied, ...others.flat()])
}
