import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadConfiguration } from '../../../../core/engine/config/load.ts'
import type { Configuration } from '../../../../core/engine/config/shared/configuration.ts'
import { givenByStore } from '../../../../core/engine/config/variables/given-value.ts'
import { digest } from '../../../../core/engine/json/digest.ts'
import type { Issue } from '../../../../core/engine/schema/issue.ts'
import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'

/* Laws of forEach and modules, on configurations of any names, keys, values and references. */

const file = 'plumbline.json'
const load = (root: JsonObject, module: JsonObject = {}, given: JsonObject = {}) =>
  loadConfiguration({
    entry: file,
    files: { [file]: JSON.stringify({ workspace: 'test', ...root }), 'm/module.yaml': JSON.stringify(module) },
    given: givenByStore(given),
  })
const loaded = (...given: Parameters<typeof load>): Configuration => {
  const found = load(...given)
  if (!found.ok) throw new Error(JSON.stringify(found.issues))
  return found.configuration
}
const issuesOf = (...given: Parameters<typeof load>): readonly Issue[] => {
  const found = load(...given)
  return found.ok ? [] : found.issues
}

const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,3}$/)
const key = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme' }),
    fc.constantFrom('a"]b', 'constructor', 'toString', '\\', '#', '*', '.', '["x"]', 'module.a', '~1', '/'),
  )
  .filter((text) => !/\p{Cc}/u.test(text) && !text.includes('${') && text !== '__proto__' && text.isWellFormed())
const word = fc.stringMatching(/^[a-zäöü "'{}[\]:#]{0,6}$/)
const scalar = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null))
const plain: fc.Arbitrary<Json> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(word, scalar, { maxKeys: 3 }),
)
const keys = fc.uniqueArray(key, { minLength: 1, maxLength: 5 })

/** Resources r0, r1, ... of which each may refer to earlier ones and to the variables a and b. */
const resources = fc
  .array(fc.record({ value: plain, uses: fc.array(fc.nat(5), { maxLength: 3 }), param: fc.constantFrom('a', 'b') }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((all) =>
    all.map(
      ({ value, uses, param }, index): JsonObject => ({
        type: 'x_thing',
        name: `r${index}`,
        spec: {
          value,
          whole: `\${var.${param}}`,
          ...Object.fromEntries(
            uses
              .filter((n) => n < index)
              .map((n, at) => [`u${at}`, `\${resource.x_thing.r${n}.${at === 0 ? 'id' : 'value'}}`]),
          ),
        },
        dependsOn: uses.filter((n) => n < index).map((n) => `x_thing.r${n}`),
      }),
    ),
  )
const parameters = { a: { type: 'string' }, b: { type: 'map', default: { n: 1 } } }

/** Everything that a plan depends on, with other addresses. */
const contentOf = ({ resources: all }: Configuration, rename: (text: string) => string): Json =>
  all.map(({ address, type, name: own, attributes, dependsOn, refersBy = [] }) => [
    rename(address),
    type,
    own,
    JSON.parse(JSON.stringify(attributes), (member, value) => (member === '$ref' ? rename(value) : value)),
    dependsOn.map(rename),
    [...refersBy],
  ])

describe('a module with one instance', () => {
  test('means the same as its resources written out', () => {
    fc.assert(
      fc.property(resources, name, fc.option(key), fc.string(), (all, module, of, text) => {
        const a = text.replaceAll('$', '')
        const call = { name: module, source: 'm', with: { a }, ...(of === null ? {} : { forEach: [of] }) }
        const inModule = loaded({ modules: [call] }, { parameters, resources: all })
        const variables = { a: { type: 'string', default: a }, b: parameters.b }
        const prefix = `module.${module}${of === null ? '' : `[${JSON.stringify(of)}]`}.`
        const rename = (address: string): string => {
          expect(address.startsWith(prefix)).toBe(true)
          return address.slice(prefix.length)
        }
        expect(contentOf(inModule, rename)).toEqual(contentOf(loaded({ variables, resources: all }), (text) => text))
      }),
    )
  })
})

describe('a further key of forEach', () => {
  const value = fc.record({ v: plain })
  test('of a resource changes no other address and no value', () => {
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 5 }), key, value, fc.nat(), (known, added, its, place) => {
        fc.pre(!Object.hasOwn(known, added))
        const entries = Object.entries(known)
        const more = Object.fromEntries(entries.toSpliced(place % (entries.length + 1), 0, [added, its]))
        const withKeys = (forEach: JsonObject) =>
          loaded({
            resources: [
              { type: 'x_a', name: 'r', forEach, spec: { key: '${each.key}', v: '${each.value.v}' } },
              { type: 'x_b', name: 's', forEach, spec: { of: '${resource.x_a.r[each.key].id}' }, dependsOn: [] },
            ],
          }).resources.map(({ position: _, ...resource }) => resource)
        const [before, after] = [withKeys(known), withKeys(more)]
        const isNew = ({ address }: { address: string }) => address.endsWith(`[${JSON.stringify(added)}]`)
        const sorted = (all: typeof before) => all.toSorted((l, r) => (l.address < r.address ? -1 : 1))
        expect(sorted(after.filter((each) => !isNew(each)))).toEqual(sorted(before))
        expect(after.filter(isNew)).toHaveLength(2)
      }),
    )
  })
  test('of a module changes no other address and no value', () => {
    fc.assert(
      fc.property(resources, keys, key, (all, known, added) => {
        fc.pre(!known.includes(added))
        const withKeys = (forEach: readonly string[]) =>
          loaded(
            { modules: [{ name: 'm', source: 'm', forEach, with: { a: '${each.key}' } }] },
            { parameters, resources: all },
          ).resources.map(({ position: _, ...resource }) => resource)
        const after = withKeys([added, ...known])
        expect(after.filter(({ module }) => module !== `module.m[${JSON.stringify(added)}]`)).toEqual(withKeys(known))
        expect(after).toHaveLength(all.length * (known.length + 1))
      }),
    )
  })
})

/** The same value with its keys in another order. */
const turned = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .toReversed()
      .map(([member, inner]) => [member, turned(inner)]),
  )
}

test('the order of keys changes neither the desired state nor any digest', () => {
  const sorted = (configuration: Configuration): Json =>
    (contentOf(configuration, (text) => text) as readonly (readonly Json[])[]).toSorted((l, r) =>
      String(l[0]) < String(r[0]) ? -1 : 1,
    )
  fc.assert(
    fc.property(
      resources,
      fc.dictionary(key, plain, { maxKeys: 4 }),
      fc.dictionary(name, plain),
      (all, forEach, given) => {
        const variables = Object.fromEntries(Object.keys(given).map((each) => [each, { type: 'map', default: {} }]))
        const values = Object.fromEntries(Object.entries(given).map(([each, inner]) => [each, { inner }]))
        const root = {
          variables,
          modules: [{ name: 'm', source: 'm', forEach, with: { a: '${each.key}', b: { n: '${each.value}' } } }],
        }
        const module = { parameters, resources: all }
        const [one, other] = [
          loaded(root, module, values),
          loaded(turned(root) as JsonObject, turned(module) as JsonObject, turned(values) as JsonObject),
        ]
        expect(digest(sorted(other))).toBe(digest(sorted(one)))
        expect(digest(other.given)).toBe(digest(one.given))
      },
    ),
  )
})

test('each problem in the file of a module is reported once, there, with the calls that lead to it', () => {
  const mistakes: readonly JsonObject[] = [
    { type: 'x_a', name: 'bad', spec: { x: '${var.none}' } },
    { type: 'x_a', name: 'bad', spec: { x: '${resource.x_a.none.id}' } },
    { type: 'x_a', name: 'bad', spec: { x: '${module.none.out}' } },
    { type: 'x_a', name: 'bad', spec: { x: '${oops' } },
    { type: 'x_a', name: 'bad', spec: { x: { secret: 'vault:x' } } },
    { type: 'x_a', name: 'bad', spec: { x: '${resource.x_a.bad.id}' } },
    { type: 'x_a', name: 'bad', spec: {}, dependsOn: ['x_a.none'] },
    { type: 'x_a', name: 'bad', spec: {}, dependsOn: ['x_a.bad'] },
    { type: 'x_a', name: 'bad', spec: {}, provider: 'none' },
    { type: 'x_a', name: 'bad', spec: {}, forEach: 5 },
    { type: 'x_a', name: 'bad', spec: {}, forEach: ['a', 'a'] },
    { type: 'x_a', name: 'bad' },
    { type: 'wrong', name: 'bad', spec: {} },
    { type: 'x_thing', name: 'r0', spec: {} },
  ]
  fc.assert(
    fc.property(resources, keys, fc.constantFrom(...mistakes), (all, forEach, mistake) => {
      const module = { parameters, resources: [...all, mistake] }
      const issues = issuesOf({ modules: [{ name: 'm', source: 'm', forEach, with: { a: 'x' } }] }, module)
      expect(issues).toHaveLength(1)
      expect(issues[0]).toMatchObject({ file: 'm/module.yaml', calls: [{ file }] })
      expect(issues[0]?.calls?.[0]?.module).toMatch(/^module\.m/)
    }),
  )
})
