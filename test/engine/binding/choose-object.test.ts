import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Choice, chooseObject, type Subject } from '../../../core/engine/binding/choose-object.ts'
import type { Look, Sighting, Sightings } from '../../../core/engine/binding/sight.ts'
import type { IdentityRules } from '../../../core/engine/schema/resource.ts'
import { lawRuns } from '../../builders/laws.ts'

type There = Partial<Extract<Sighting, { kind: 'present' }>>

const there = (object: string, more: There = {}): Sighting => ({
  kind: 'present',
  object,
  recorded: 'same',
  ids: 'same',
  desired: true,
  ...more,
})
const none: Sighting = { kind: 'absent' }
const replaced = { ...none, isRemade: true }
const failed: Sighting = { kind: 'unknown' }

/** Answers look after look, until it is decided. */
const decide = (subject: Subject, answers: Sightings) => {
  const looks: Look[] = []
  const seen: Partial<Record<Look, Sighting>> = {}
  for (;;) {
    const choice = chooseObject(subject, seen)
    if (choice.kind !== 'look') return { choice, looks }
    looks.push(choice.look)
    seen[choice.look] = answers[choice.look] ?? none
  }
}

const ids = (kind: IdentityRules['ids'], readable = true): IdentityRules => ({ ...(kind && { ids: kind }), readable })
const subject = (rules: IdentityRules, desired?: Subject['desired'], hasIds = true): Subject => ({
  rules,
  ...(desired && { desired }),
  recorded: { hasIds },
})
const bound = (look: Look, isOwn = true) => ({ kind: 'bound', look, isOwn })
const unclear = { kind: 'unclear', why: expect.any(String) }
const put = { ...unclear, isMoved: true }
const renamed = { recorded: 'renamed', desired: false } as const
/** The name that it has now is the declared one. */
const nowNamed = { recorded: 'renamed' } as const
const taken = { recorded: 'other', desired: false, isDisproved: true } as const
/** Another container, which never changes by a request. */
const elsewhere = { recorded: 'other', desired: false, differs: 'zone' } as const
const changed = { recorded: 'changed', desired: false, differs: 'kind' } as const
const moved = { differs: 'zone', desired: false } as const

/** Several objects had its keys at an earlier look. */
const doubted = (rules: IdentityRules, desired?: Subject['desired']): Subject => ({
  ...subject(rules, desired),
  recorded: { hasIds: true, doubt: 'several' },
})

/** A person says that its object was deleted. */
const said = (rules: IdentityRules, desired?: Subject['desired']): Subject => ({
  ...subject(rules, desired),
  recorded: { hasIds: true, isGone: true },
})

/** A create without an answer, of what only the server names. */
const nameless = (isGone = false): Subject => ({
  ...subject(ids('stable')),
  recorded: { hasIds: false, doubt: 'sent', lacks: ['number'], ...(isGone && { isGone }) },
})

/** The configuration names its object. */
const imported = (rules: IdentityRules): Subject => ({
  ...subject(rules, 'present'),
  recorded: { hasIds: true, isImported: true },
})

/** The configuration names another object than the recorded one. */
const importing = (rules: IdentityRules): Subject => ({ ...subject(rules, 'present'), imports: true })

/** Nobody noted what came of its create; ids are those that the answer told. */
const sent = (rules: IdentityRules, desired?: Subject['desired']): Subject => ({
  ...subject(rules, desired),
  recorded: { hasIds: rules.ids !== undefined, doubt: 'sent' },
})

/** What it belonged to was not there any more. */
const strayed = (rules: IdentityRules, desired?: Subject['desired']): Subject => ({
  ...subject(rules, desired),
  recorded: { hasIds: true, doubt: 'strayed' },
})

const stable = ids('stable')
const reused = ids('reused')
const position = ids('position')
const shown = ids('stable', false)

describe('which object a resource is', () => {
  it.each<[string, Subject, Sightings, unknown]>([
    ['declared, as recorded', subject(stable, 'present'), { ids: there('a') }, bound('ids')],
    ['renamed there', subject(stable, 'present'), { ids: there('a', renamed) }, bound('ids')],
    ['renamed here', subject(stable, 'present'), { ids: there('a', { desired: false }) }, bound('ids')],
    [
      'renamed on both sides alike',
      subject(stable, 'present'),
      { ids: there('a', { recorded: 'renamed' }) },
      bound('ids'),
    ],
    [
      'renamed there, and another one has the name',
      subject(stable, 'present'),
      { ids: there('a', renamed), desired: there('b', { ids: 'other' }) },
      unclear,
    ],
    [
      'renamed here to the name of another one',
      subject(stable, 'present'),
      { ids: there('a', { desired: false }), desired: there('b', { ids: 'other', recorded: 'renamed' }) },
      unclear,
    ],
    ['its id went to another object', subject(stable, 'present'), { ids: there('b', taken) }, bound('desired', false)],
    [
      'deleted there and made again',
      subject(stable, 'present'),
      { desired: there('b', { ids: 'other' }), recorded: there('b', { ids: 'other' }) },
      { ...bound('desired', false), isRemade: true },
    ],
    [
      'the same, where nothing of the name shall exist',
      subject(stable, 'absent'),
      { desired: there('b', { ids: 'other' }), recorded: there('b', { ids: 'other' }) },
      { ...bound('desired', false), isRemade: true },
    ],
    [
      'not found, and another one has the name that is declared now',
      subject({ readable: false }, 'present', false),
      { recorded: { kind: 'absent' }, desired: there('b') },
      { ...bound('desired', false), isInstead: true },
    ],
    ['gone by id, and still listed', subject(stable, 'present'), { recorded: there('a') }, unclear],
    ['an id that may be used again, another name', subject(reused, 'present'), { ids: there('?', renamed) }, unclear],
    ['the same, declared by that name', subject(reused, 'present'), { ids: there('a', nowNamed) }, bound('ids')],
    [
      'the same, and somebody says it is gone',
      said(reused, 'present'),
      { ids: there('b', renamed) },
      bound('desired', false),
    ],
    ['left, a create that nothing finds, and somebody says it is gone', nameless(true), {}, none],
    ['left, a create that nothing finds', nameless(), {}, unclear],
    ['the same, left, and somebody says it is gone', said(reused), { ids: there('b', renamed) }, none],
    [
      'the same, declared to be absent by that name',
      subject(reused, 'absent'),
      { ids: there('a', nowNamed) },
      bound('ids'),
    ],
    ['put into another container', subject(stable, 'present'), { ids: there('a', elsewhere) }, put],
    ['the same, left', subject(stable), { ids: there('a', elsewhere) }, put],
    [
      'the same, declared where it is now',
      subject(stable, 'present'),
      { ids: there('a', { ...elsewhere, desired: true }) },
      bound('ids'),
    ],
    ['the same, said to be gone', said(stable, 'present'), { ids: there('a', elsewhere) }, bound('desired', false)],
    ['an id that was used again', subject(reused, 'present'), { ids: there('b', taken) }, bound('desired', false)],
    ['renamed there, and a fixed value changed', subject(stable, 'present'), { ids: there('a', changed) }, unclear],
    [
      'the same, declared as it is now',
      subject(stable, 'present'),
      { ids: there('a', { ...changed, desired: true }) },
      bound('ids'),
    ],
    ['the same, said to be gone', said(stable, 'present'), { ids: there('a', changed) }, bound('desired', false)],
    ['renamed there, and said to be gone', said(stable, 'present'), { ids: there('a', renamed) }, bound('ids')],
    [
      'an id that may be used again, another name and a fixed value',
      subject(reused, 'present'),
      { ids: there('b', changed) },
      bound('desired', false),
    ],
    ['imported by its id', imported(stable), { ids: there('a') }, bound('ids')],
    ['imported by its key', imported(position), { recorded: there('a', { desired: false }) }, bound('recorded')],
    ['imported, and not there', imported(stable), { desired: there('b') }, unclear],
    [
      'imported, and another one has the name',
      imported(stable),
      { ids: there('a', { desired: false }), desired: there('b', { ids: 'other' }) },
      unclear,
    ],
    ['gone, and the configuration names another', importing(stable), { desired: there('b') }, { kind: 'import' }],
    ['as recorded, and the configuration names another', importing(stable), { ids: there('a') }, bound('ids')],
    ['left, renamed there, and a fixed value changed', subject(stable), { ids: there('a', changed) }, unclear],
    ['the same, said to be gone, left', said(stable), { ids: there('a', changed) }, none],
    [
      'a position that moved',
      subject(position, 'present'),
      { recorded: there('a', { ids: 'other' }) },
      bound('recorded'),
    ],
    ['not known before', { rules: stable, desired: 'present' }, { desired: there('a') }, bound('desired', false)],
    ['within what does not exist yet', { rules: stable, desired: 'present', isComing: true }, {}, none],
    ['left, as recorded', subject(stable), { ids: there('a') }, bound('ids')],
    ['left, gone', subject(stable), {}, none],
    ['left, gone, and another one has the name', subject(stable), { recorded: there('b', { ids: 'other' }) }, replaced],
    ['left, renamed there', subject(stable), { ids: there('a', renamed) }, unclear],
    ['left, its id went to another object', subject(stable), { ids: there('b', taken) }, none],
    ['left, an id that may be used again', subject(reused), { ids: there('?', renamed) }, unclear],
    ['left, found by its name, another id', subject(shown), { recorded: there('b', { ids: 'other' }) }, replaced],
    [
      'left, known by its name alone',
      subject(ids(undefined, false), undefined, false),
      { recorded: there('a') },
      bound('recorded'),
    ],
    ['left, a position, and where it belongs is another', subject(position), { recorded: there('a', moved) }, unclear],
    [
      'left, known by its name alone, and where it belongs is another',
      subject(ids(undefined, false), undefined, false),
      { recorded: there('a', { ...moved, ids: 'unknown' }) },
      unclear,
    ],
    ['left, an id that may be used again, elsewhere', subject(reused), { ids: there('a', moved) }, unclear],
    ['left, its own id, elsewhere', subject(stable), { ids: there('a', moved) }, bound('ids')],
    [
      'left, shown with its own id, elsewhere',
      subject(shown),
      { recorded: there('a', { ...moved, ids: 'same' }) },
      bound('recorded'),
    ],
    [
      'left, and several had its name once',
      doubted(position),
      { recorded: there('a', { ids: 'other', desired: false }) },
      unclear,
    ],
    ['left, its own id, and several had its name once', doubted(stable), { ids: there('a') }, bound('ids')],
    [
      'renamed here, and several had its name once',
      doubted(position, 'present'),
      { recorded: there('a', { desired: false }) },
      unclear,
    ],
    [
      'declared by this name, of which there were several once',
      doubted(position, 'present'),
      { recorded: there('a') },
      bound('recorded'),
    ],
    [
      'shall not exist by this name, of which there were several once',
      doubted(position, 'absent'),
      { recorded: there('a', { differs: 'zone' }) },
      bound('recorded'),
    ],
    [
      'left, and a create of it may have made what has its name',
      sent(ids(undefined, false)),
      { recorded: there('a', { ids: 'unknown' }) },
      unclear,
    ],
    [
      'declared, and a create of it may have made what has its name',
      sent(ids(undefined, false), 'present'),
      { recorded: there('a', { ids: 'unknown' }) },
      bound('recorded', false),
    ],
    [
      'a position, gone, and another one has the name that is declared now',
      subject(position, 'present'),
      { desired: there('b', { ids: 'other' }) },
      { ...bound('desired', false), isInstead: true },
    ],
    [
      'a position, and what is found in its place is called otherwise and has another fixed value',
      subject(position),
      { recorded: there('b', changed) },
      none,
    ],
    [
      'left, several had its name once, and its id is not shown',
      doubted(shown),
      { recorded: there('a', { ids: 'unknown' }) },
      unclear,
    ],
    ['left, made by a create whose answer told its id', sent(stable), { ids: there('a') }, bound('ids')],
    ['the same, renamed there', sent(stable), { ids: there('a', renamed) }, unclear],
    ['the same, declared', sent(stable, 'present'), { ids: there('a', renamed) }, bound('ids')],
    ['the same, an id that may be used again', sent(reused, 'present'), { ids: there('a') }, bound('ids', false)],
    ['the same, and something fixed differs', sent(reused), { ids: there('a', moved) }, unclear],
    ['left, and what it belonged to is gone', strayed(reused), { ids: there('a') }, unclear],
    ['the same, its own id', strayed(stable), { ids: there('a') }, bound('ids')],
    ['the same, declared by this name', strayed(reused, 'present'), { ids: there('a') }, bound('ids')],
    [
      'renamed here, and whether something has the new name could not be read',
      subject(stable, 'present'),
      { ids: there('a', { desired: false }), desired: failed },
      bound('desired', false),
    ],
    ['gone by id, and its name could not be read', subject(stable), { recorded: failed }, bound('recorded')],
    [
      'left, found by its name, another id that may be used again',
      subject(ids('reused', false)),
      { recorded: there('b', { ids: 'other' }) },
      unclear,
    ],
    ['shall not exist, renamed there', subject(stable, 'absent'), { ids: there('a', renamed) }, unclear],
    ['shall not exist, as recorded', subject(stable, 'absent'), { ids: there('a') }, bound('ids')],
    ['a look that failed', subject(stable, 'present'), { ids: failed }, bound('ids')],
  ])('is decided by the configuration, the record and what the target answers: %s', (_, given, answers, expected) => {
    expect(decide(given, answers).choice).toEqual(expected)
  })

  it.each([
    ['one request where nothing moved', subject(stable, 'present'), { ids: there('a') }, ['ids']],
    ['none by the name of what left', subject(stable), { ids: there('a') }, ['ids']],
    ['none by an id that is a position', subject(position), { recorded: there('a') }, ['recorded']],
    ['none by an id that nobody knows', subject(stable, 'present', false), { recorded: there('a') }, ['recorded']],
    [
      'none by a name that does not exist yet',
      { ...subject(stable, 'present'), isComing: true },
      { ids: there('a', { desired: false }) },
      ['ids'],
    ],
  ] as const)('takes no more look-ups than needed: %s', (_, given, answers, expected) => {
    expect(decide(given, answers).looks).toEqual(expected)
  })
})

const sighting: fc.Arbitrary<Sighting> = fc.oneof(
  fc.constant(none),
  fc.constant(failed),
  fc.record(
    {
      kind: fc.constant('present' as const),
      object: fc.constantFrom('a', 'b'),
      recorded: fc.constantFrom('same' as const, 'renamed' as const, 'changed' as const, 'other' as const),
      ids: fc.constantFrom('same' as const, 'other' as const, 'unknown' as const),
      desired: fc.boolean(),
      differs: fc.constantFrom('zone', 'kind'),
    },
    { requiredKeys: ['kind', 'object', 'recorded', 'ids', 'desired'] },
  ),
)
const situation = fc.record({
  rules: fc.record({ ids: fc.constantFrom('stable', 'reused', 'position', undefined), readable: fc.boolean() }),
  desired: fc.constantFrom('present', 'absent', undefined),
  hasIds: fc.boolean(),
  doubt: fc.constantFrom(undefined, 'several' as const, 'sent' as const),
  answers: fc.record({ ids: sighting, recorded: sighting, desired: sighting }),
})

describe('laws of the choice of an object', () => {
  const run = (law: (given: Subject, answers: Required<Sightings>, choice: Choice, looks: readonly Look[]) => void) =>
    fc.assert(
      fc.property(situation, ({ rules, desired, hasIds, doubt, answers }) => {
        const given: Subject = {
          ...subject(ids(rules.ids, rules.readable), desired),
          recorded: { hasIds, ...(doubt && { doubt }) },
        }
        const { choice, looks } = decide(given, answers)
        law(given, answers, choice, looks)
      }),
      lawRuns(5_000),
    )

  it('no target is asked twice, and a resource that left the configuration is never looked for by a configured name', () => {
    run((given, _, __, looks) => {
      expect(new Set(looks).size).toBe(looks.length)
      if (given.desired === undefined) expect(looks).not.toContain('desired')
    })
  })

  it('a resource that left the configuration is bound only to an object with the keys and ids of its record', () => {
    run((given, answers, choice) => {
      if (given.desired !== undefined || choice.kind !== 'bound') return
      const found = answers[choice.look]
      if (found.kind === 'unknown') return
      expect(found).toMatchObject({ kind: 'present', recorded: expect.not.stringMatching('other') })
      if (choice.look === 'ids') expect(found).toMatchObject({ recorded: 'same' })
      else if (given.rules.ids === 'stable') expect(found).not.toMatchObject({ ids: 'other' })
    })
  })

  it('an object that only the record leads to is bound by a stable id, or where nothing contradicts the record', () => {
    run(({ rules, recorded }, answers, choice) => {
      if (choice.kind !== 'bound' || !choice.isOwn) return
      const found = answers[choice.look]
      if (found.kind !== 'present' || found.desired || (rules.ids === 'stable' && found.ids === 'same')) return
      if (found.recorded !== 'renamed') expect(found).not.toHaveProperty('differs')
      if (choice.look === 'recorded') expect(recorded).not.toHaveProperty('doubt')
    })
  })

  it('an object under its own stable id is given up only if a fixed key differs', () => {
    run(({ rules, recorded }, { ids }, choice, looks) => {
      if (rules.ids !== 'stable' || !looks.includes('ids') || ids.kind !== 'present') return
      if (ids.recorded === 'other' || recorded?.isGone || recorded?.doubt === 'sent') return
      expect(choice.kind).not.toBe('absent')
      if (choice.kind === 'bound' && !choice.isOwn) expect(choice.look).not.toBe('ids')
    })
  })

  it('a failed look-up never counts as an absence', () => {
    run((_, answers, choice, looks) => {
      if (looks.some((look) => answers[look].kind === 'unknown')) expect(choice.kind).not.toBe('absent')
    })
  })
})
