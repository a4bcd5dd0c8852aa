import { describe, expect, it } from 'vitest'
import { isMap, isNode, isPair, isScalar, parseDocument, visit } from 'yaml'
import type { Issue } from '../../../../core/engine/schema/issue.ts'
import { goodDocument, mistakes, type WrittenMistake } from '../../../builders/values/mistakes.ts'
import { issuesOf } from '../../../builders/workspaces/issues-of.ts'

/* What a message says to do is done by a machine, and then the configuration must be valid. */

interface Place {
  readonly text: string
  /** Of what the message is about. */
  readonly at: number
}

type Edit = (place: Place, match: RegExpExecArray) => string | undefined

/** The value that begins at a place, or that belongs to the key there. */
const valueAt = (
  { text, at }: Place,
  is: (value: unknown) => boolean,
): readonly [from: number, to: number] | undefined => {
  let found: readonly [number, number] | undefined
  visit(parseDocument(text), {
    Pair: (_, { key, value }) => {
      if (isNode(key) && key.range?.[0] === at && isNode(value) && is(value) && value.range)
        found = [value.range[0], value.range[1]]
    },
    Node: (key, node) => {
      const { range } = node
      if (key !== 'key' && is(node) && range?.[0] === at) found ??= [range[0], range[1]]
    },
  })
  return found
}

const put =
  (spell: (written: string, match: RegExpExecArray) => string, is: (value: unknown) => boolean = isScalar): Edit =>
  (place, match) => {
    const span = valueAt(place, is)
    if (span === undefined) return undefined
    const [from, to] = span
    return place.text.slice(0, from) + spell(place.text.slice(from, to), match) + place.text.slice(to)
  }

/** Without what begins at a place: the key, or the element of a list. */
const takeOut =
  (is: (item: unknown) => boolean): Edit =>
  ({ text, at }) => {
    const document = parseDocument(text, { uniqueKeys: false })
    let isOut = false
    const startsAt = (item: unknown): boolean => {
      const node = isPair(item) ? item.key : item
      return is(item) && isNode(node) && node.range?.[0] === at
    }
    visit(document, {
      Collection: (_, collection) => {
        const items = collection.items as unknown[]
        const index = isOut ? -1 : items.findIndex(startsAt)
        if (index >= 0) items.splice(index, 1)
        isOut ||= index >= 0
      },
    })
    return isOut ? String(document) : undefined
  }

const letters = (word: string): string => [...word.toLowerCase()].sort().join('')

/** The word that was meant for the first one after a place that is like it. */
const meant: Edit = ({ text, at }, [, word = '']) => {
  const like = (written: string): boolean =>
    written !== word &&
    (word.startsWith(written) || written.startsWith(word) || isNear(letters(written), letters(word)))
  const found = [...text.matchAll(/[\w.-]+/g), ...text.matchAll(/\w+/g)].find(
    ({ index, 0: written }) => index >= at && like(written),
  )
  return found && text.slice(0, found.index) + word + text.slice(found.index + found[0].length)
}

/** Whether one letter of each is more than the other has. */
const isNear = (left: string, right: string): boolean => {
  const rest = [...left].reduce((kept, letter) => kept.replace(letter, ''), right)
  const own = [...right].reduce((kept, letter) => kept.replace(letter, ''), left)
  return rest.length <= 1 && own.length <= 1
}

/** Into the mapping in braces that begins at a place. */
const addMember: Edit = ({ text, at }, [, member = '']) =>
  text[at] === '{' ? `${text.slice(0, at + 1)} ${member},${text.slice(at + 1)}` : undefined

/** From the mapping that it is in to the place that the message names. */
const move: Edit = ({ text, at }, [, place = '']) => {
  const document = parseDocument(text)
  let moved: unknown
  visit(document, {
    Map: (_, map) => {
      const index = map.items.findIndex(({ key }) => isNode(key) && key.range?.[0] === at)
      if (index >= 0) moved = map.items.splice(index, 1)[0]?.value
    },
  })
  if (moved === undefined) return undefined
  const path = place.split(/[.[\]]+/).map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  for (const { key, value } of isMap(moved) ? moved.items : [{ key: undefined, value: moved }])
    document.setIn(key === undefined ? path : [...path, key], value)
  return String(document)
}

/** What a machine does where a message says so; the first that fits. */
const edits: readonly (readonly [RegExp, Edit])[] = [
  [
    /^add it, such as with: \{ (\w+: \{ secret: "env:NAME" \}) \}$/,
    ({ text, at }, match) => addMember({ text, at: text.indexOf('{', at) }, match),
  ],
  [/^did you mean "(.+)"\?$/, meant],
  [/^remove it, or use one of: /, takeOut(isPair)],
  [/^move it to ([\w.[\]]+)/, move],
  [/^write a number: (\d+), without “ and ”$/, put((_, [, number = '']) => number)],
  [/^remove one of the two$/, takeOut(isPair)],
  [/^keep one of the two$/, takeOut(isNode)],
  [/^use one of: ([\w-]+)/, put((_, [, word = '']) => word)],
  [/^it takes: /, takeOut(isPair)],
  [/^indent with spaces$/, ({ text }) => text.replaceAll('\t', '  ')],
  [/^put it in quotes$/, put((written) => `"${written}"`)],
  [/^write true or false$/, put(() => 'true')],
  [/^write a number(?:,|$)/, put(() => '1')],
  [/^write a list: \[\.\.\.\]$/, put((written) => `[${written}]`)],
  [/^remove it$/, takeOut(isPair)],
  [/^write `(\w+: \{ secret: "env:NAME" \})`$/, addMember],
  [/(\{ secret: "env:NAME" \})/, put((_, [, secret = '']) => secret, isNode)],
  [/^write (rate\(15 minutes\)),/, put((_, [, rate = '']) => rate)],
  [/such as (20%|Europe\/Berlin|https:\/\/\S+)/, put((_, [, example = '']) => example)],
  [/(?:for example|as in) (30m|2027-01-31)/, put((_, [, example = '']) => example)],
  [/^remove forEach,/, ({ text }, match) => takeOut(isPair)({ text, at: text.indexOf('forEach:') }, match)],
]

const offsetOf = (text: string, { line, column }: Issue): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, each) => sum + each.length + 1, 0) +
  column -
  1

/** The mistake after the first fix that a machine can apply; `undefined` if there is none. */
const mendOnce = (written: WrittenMistake, issues: readonly Issue[]): WrittenMistake | undefined => {
  for (const issue of issues) {
    const name = issue.file === 'plumbline.yaml' ? 'text' : 'document'
    const text = name === 'text' ? written.text : (written.document ?? goodDocument)
    for (const [pattern, edit] of edits) {
      const match = pattern.exec(issue.fix)
      const mended = match === null ? undefined : edit({ text, at: offsetOf(text, issue) }, match)
      if (mended !== undefined && mended !== text) return { ...written, [name]: mended }
    }
  }
  return undefined
}

const rounds = 6

const mend = async (written: WrittenMistake): Promise<readonly Issue[]> => {
  let now = written
  for (let round = 0; round < rounds; round += 1) {
    const issues = await issuesOf(now)
    const next = mendOnce(now, issues)
    if (next === undefined) return issues
    now = next
  }
  return issuesOf(now)
}

/** Mistakes that no machine can mend, because a message cannot know what the author meant. */
const byHand: Readonly<Record<string, readonly string[]>> = {
  'only its author knows the name, the text or the value that is missing': [
    'a tab',
    'a name for the workspace',
    'a workspace in capital letters',
    'a resource as a pair',
    'attributes beside the spec',
    'a type that there is not',
    'a type of another product',
    'no type',
    'no name',
    'a name with a dot',
    'no spec',
    'an empty spec',
    'a missing key',
    'a null for what is required',
    'null in a list',
    'a variable without a value',
    'a rule to ignore without its owner',
    'an import without an id',
    'a module that is called without its name',
    'a removal with no reason',
    'events without their secret',
    'a document that there is not',
    'an input that there is not',
    'a route with its address in the file',
    'a route whose address is no secret',
  ],
  'what is written has another shape, and only its author knows what belongs where': [
    'resources as a mapping',
    'a list of texts for a list of objects',
    'rules to ignore as addresses',
    'a move of a list',
    'a rule whose condition is a text',
    'a rule for what no condition says',
    'a rule whose condition has another type',
    'a list for a file',
    'an empty file',
    'a colon without a space',
  ],
  'the text has no structure without a character that may stand in several places': [
    'a text without its end',
    'a list that is indented otherwise',
  ],
  'it names something that must be declared elsewhere, or another thing that is meant': [
    'an alias without its anchor',
    'a reference to nothing',
    'such quotes in a reference',
    'a reference without its first word',
    'a variable that is not declared',
    'a dependence on nothing',
    'a module without its folder',
    'a file to include as a text',
    'a rule about an attribute that there is not',
    'a rule whose condition names a variable that there is not',
    'a value of a rule',
    'the address of what rules cover',
    'no source',
    'no document',
    'a document as the source',
  ],
  'one of several ways out must be chosen': [
    'a key of elements twice',
    'a reference to itself',
    'a circle',
    'a rule for objects that no list has',
    'a rule with a key in its spec',
  ],
  'only the description of the API tells what is right': [
    'D: a method that there is not',
    'D: a variable that there is not',
    'D: an API description',
    'D: no resources',
  ],
}

describe('what a message says to do', () => {
  const known = Object.values(byHand).flat()

  it.each(Object.entries(mistakes).filter(([title]) => !known.includes(title)))(
    'makes a configuration valid where a machine does it: %s',
    async (_, written) => {
      expect((await mend(written)).map(({ message, fix }) => `${message}: ${fix}`)).toEqual([])
    },
  )

  it.each(Object.entries(byHand))('is left to a person because %s', async (_, titles) => {
    for (const title of titles) {
      expect(Object.keys(mistakes)).toContain(title)
      expect(await mend(mistakes[title] as WrittenMistake), title).not.toEqual([])
    }
  })
})
