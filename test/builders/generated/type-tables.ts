import { namedFiles } from '../../../core/engine/config/files/named-files.ts'
import type { ProviderFactory, ProviderInput, ResourceType } from '../../../core/engine/provider/provider.ts'
import type { Attribute } from '../../../core/engine/schema/attribute.ts'

/** The types of a provider as it is configured without a workspace. */
export const typesOf = (
  provider: ProviderFactory,
  input: Pick<ProviderInput, 'alias' | 'with' | 'definition'>,
): readonly ResourceType[] => {
  const configured = provider.configure({
    ...input,
    position: { file: '', line: 1, column: 1 },
    files: namedFiles({ files: {} }),
  })
  if (!configured.ok) throw new Error(JSON.stringify(configured.issues))
  return Object.values(configured.provider.types)
}

/** A table of the attributes of a type, with the members of objects and elements where `nested` says so. */
export const attributeTable = ({ schema }: ResourceType, nested = false): readonly string[] => [
  '| attribute | type | default | meaning |',
  '|---|---|---|---|',
  ...Object.entries(schema.attributes).flatMap(([attribute, facts]) => rows(attribute, facts, nested)),
  '',
]

const rows = (name: string, facts: Attribute, nested: boolean): readonly string[] => [
  row(name, facts),
  ...(nested ? membersOf(facts).flatMap(([member, inner]) => rows(`${name}${member}`, inner, nested)) : []),
]

const membersOf = (facts: Attribute): readonly (readonly [string, Attribute])[] => {
  const { element, attributes = {} } = facts as {
    element?: Attribute
    attributes?: Readonly<Record<string, Attribute>>
  }
  if (element !== undefined) return membersOf(element).map(([member, inner]) => [`[]${member}`, inner])
  return Object.entries(attributes).map(([member, inner]) => [`.${member}`, inner])
}

const row = (name: string, facts: Attribute): string => {
  const notes = [
    facts.identity && 'identity',
    facts.computed && 'read only',
    facts.immutable && !facts.identity && 'set at the create only',
    facts.sensitive && 'secret',
    facts.writeOnly && 'write-only',
    facts.type === 'map' && facts.manage === 'declared' && 'other keys are left alone',
  ].filter((note) => typeof note === 'string')
  const given = facts.default === undefined ? '' : `\`${JSON.stringify(facts.default)}\``
  const fallback = facts.required ? '**required**' : given
  const meaning = `${facts.description ?? ''}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
  return `| \`${name}\` | ${facts.type} | ${fallback} | ${meaning} |`
}
