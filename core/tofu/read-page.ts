import { AppError } from '../errors.ts'
import type { TofuMode, TofuPage } from '../schema/tofu.ts'
import { buildPlanPage } from './build-plan-page.ts'
import { buildStatePage } from './build-state-page.ts'
import { readSchemas } from './facts.ts'
import { checkVersion, decodeJson, readDocument } from './read-document.ts'
import type { ValueMap } from './value.ts'

export interface PageSource {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface PageOptions {
  /** The answer of `providers schema -json`; guessed from the values without it. */
  readonly schemas?: PageSource | undefined
  readonly mode?: TofuMode | undefined
}

const planMembers = ['resource_changes', 'output_changes', 'planned_values', 'resource_drift', 'prior_state']

const isState = (document: ValueMap): boolean =>
  !planMembers.some((member) => document.has(member)) &&
  (document.has('values') || (document.has('format_version') && !document.has('configuration')))

const readSchemaDocument = ({ bytes, name }: PageSource): ValueMap => {
  const document = readDocument(decodeJson(bytes, name), name)
  checkVersion(document, 'the schemas', { major: 1, minor: 0 })
  return document
}

/** What a plan or a state in JSON shows. Throws USAGE for what is neither. */
export const readTofuPage = ({ bytes, name }: PageSource, { schemas, mode }: PageOptions = {}): TofuPage => {
  const document = readDocument(decodeJson(bytes, name), name)
  const schemaDocument = schemas === undefined ? undefined : readSchemaDocument(schemas)
  const options = { schemas: readSchemas(schemaDocument), mode }
  if (isState(document)) return buildStatePage(document, options)
  if (!planMembers.some((member) => document.has(member)) && !document.has('configuration'))
    throw new AppError('USAGE', { detail: `${name} is neither a plan nor a state; write one with "tofu show -json"` })
  return buildPlanPage(document, options)
}
