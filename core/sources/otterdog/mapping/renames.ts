import type { ForeignModule } from '../../../engine/config/modules/foreign.ts'
import type { Path } from '../../../engine/schema/json.ts'
import type { Organisation, Repository } from '../shape/organisation.ts'
import { addressOf, nameOf, nameWithin } from '../values/address-name.ts'
import type { Draft } from './mapping.ts'

/** The address that a part of a repository had while the repository had another name. */
const formerAddress = ({ type, at }: Draft, { name }: Repository, former: string): string | undefined => {
  const own = nameOf(name)
  if (at.key === own.key && at.name === own.name) return addressOf(type, nameOf(former))
  const { name: owner, key: prefix = '' } = nameWithin(name, '')
  if (at.name !== owner || at.key === undefined || !at.key.startsWith(prefix)) return undefined
  return addressOf(type, nameWithin(former, at.key.slice(prefix.length)))
}

const ofRepository = (repository: Repository, drafts: readonly Draft[], index: number): readonly FormerAddress[] => {
  const own = drafts.filter(({ path }) => path[0] === 'repositories' && path[1] === index)
  return (repository.aliases ?? []).flatMap((former) =>
    own.flatMap((draft) => {
      const from = formerAddress(draft, repository, former)
      return from === undefined ? [] : [{ from, to: addressOf(draft.type, draft.at) }]
    }),
  )
}

type FormerAddress = ForeignModule['moved'][number]

/** The former addresses of what has aliases: a rename keeps the record, so that it is one change and no replacement. */
export const movesIn = (organisation: Organisation, drafts: readonly Draft[]): readonly FormerAddress[] => [
  ...(organisation.repositories ?? []).flatMap((repository, index) => ofRepository(repository, drafts, index)),
  ...(organisation.webhooks ?? []).flatMap(({ url, aliases = [] }) =>
    aliases.map((former) => ({
      from: addressOf('github_organization_webhook', nameOf(former)),
      to: addressOf('github_organization_webhook', nameOf(url)),
    })),
  ),
  ...(organisation.repositories ?? []).flatMap(({ name, webhooks = [] }) =>
    webhooks.flatMap(({ url, aliases = [] }) =>
      aliases.map((former) => ({
        from: addressOf('github_repository_webhook', nameWithin(name, former)),
        to: addressOf('github_repository_webhook', nameWithin(name, url)),
      })),
    ),
  ),
]

type ForeignImport = ForeignModule['imports'][number]

const importOf = (
  to: string,
  key: string,
  aliases: readonly string[] | undefined,
  path: Path,
): readonly ForeignImport[] => {
  const [former] = aliases ?? []
  return former === undefined ? [] : [{ to, id: { [key]: former }, path: [...path, 'aliases', 0] }]
}

/**
 * The existing objects of what has aliases and no record: without them an object under its former name would be created a
 * second time. Of several aliases the first one counts.
 */
export const importsIn = ({ repositories = [], webhooks = [] }: Organisation): readonly ForeignImport[] => [
  ...repositories.flatMap(({ name, aliases }, index) =>
    importOf(addressOf('github_repository', nameOf(name)), 'name', aliases, ['repositories', index]),
  ),
  ...webhooks.flatMap(({ url, aliases }, index) =>
    importOf(addressOf('github_organization_webhook', nameOf(url)), 'url', aliases, ['webhooks', index]),
  ),
  ...repositories.flatMap((repository, outer) =>
    (repository.webhooks ?? []).flatMap(({ url, aliases }, index) =>
      importOf(addressOf('github_repository_webhook', nameWithin(repository.name, url)), 'url', aliases, [
        'repositories',
        outer,
        'webhooks',
        index,
      ]),
    ),
  ),
]
