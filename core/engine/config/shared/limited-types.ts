import type { Policy } from '../../schema/rules.ts'
import type { ParsedDocument } from '../syntax/parse-document.ts'
import type { LimitedType } from './configuration.ts'

/** The types for which a policy has a limit of their own, with the places of their names. */
export const limitedTypes = (policy: Policy | undefined, { locate }: Pick<ParsedDocument, 'locate'>): LimitedType[] =>
  typeof policy?.maxRemovals === 'object'
    ? Object.keys(policy.maxRemovals)
        .filter((type) => type !== '*')
        .map((type) => ({ type, position: locate(['policy', 'maxRemovals', type], 'key') }))
    : []
