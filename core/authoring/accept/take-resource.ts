import { parseDocument } from '../../config/syntax/parse-document.ts'
import { rootOf } from '../../diff/facts.ts'
import { normalise } from '../../diff/normalise.ts'
import { pathText, valueAt } from '../../json/pointer.ts'
import { withManage } from '../../plan/resource/with-manage.ts'
import { isArray, isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import type { RefusedValue } from '../../schema/reports/accept-report.ts'
import type { Address, Position } from '../../schema/resource.ts'
import type { Session } from '../../workflows/session/open-session.ts'
import { specOf } from '../import/spec-of.ts'
import { withNames } from '../import/with-names.ts'
import { refusedAs } from './choose-differences.ts'
import { createLookUp } from './look-up.ts'
import type { LookUp, OtherEdit, Taking } from './place.ts'
import { takeLive } from './take-live.ts'
import { refusals } from './words.ts'

/** The files of a workspace with the places of their resources. */
export interface Documents {
  /** The file and the path of the entry of a resource. */
  placeOf(address: Address): { readonly file: string; readonly path: Path } | undefined
  /** The parsed value of a file. */
  valueOf(file: string): Json
  positionIn(file: string, path: Path): Position
}

export const readDocuments = (files: Readonly<Record<string, string>>, { loaded }: Session): Documents => {
  const parsed = new Map(
    [...new Set(loaded.configuration.resources.map(({ position }) => position.file))].map((file) => [
      file,
      parseDocument(file, files[file] ?? ''),
    ]),
  )
  const places = new Map<string, Path>()
  for (const [file, { value, locate }] of parsed) {
    const listed = isObject(value) && isArray(value['resources']) ? value['resources'] : []
    for (const index of listed.keys()) {
      const path = ['resources', index]
      places.set(keyOf({ ...locate(path), file }), path)
    }
  }
  const positions = new Map(loaded.configuration.resources.map(({ address, position }) => [address, position]))
  return {
    placeOf: (address) => {
      const position = positions.get(address)
      const path = position && places.get(keyOf(position))
      return position === undefined || path === undefined ? undefined : { file: position.file, path }
    },
    valueOf: (file) => parsed.get(file)?.value ?? null,
    positionIn: (file, path) => parsed.get(file)?.locate(path) ?? { file, line: 1, column: 1 },
  }
}

const keyOf = ({ file, line, column }: Position): string => `${file}:${line}:${column}`

/** What the configuration must contain so that one resource desires its live values. */
export interface TakenResource {
  readonly address: Address
  readonly file: string
  readonly spec: { readonly at: Path; readonly value: Json; readonly isChanged: boolean }
  readonly others: readonly OtherEdit[]
  readonly origins: Taking['origins']
  readonly refused: readonly RefusedValue[]
}

/** The live object in written form, with names instead of ids. */
const speak = async (session: Session, address: Address): Promise<JsonObject> => {
  const { type, provider, planned } = session.resources.get(address) ?? {}
  if (type === undefined || provider === undefined || planned?.before == null) return {}
  const { spec } = specOf(type.schema, planned.before, () => undefined)
  return withNames(session, { type, provider, attributes: planned.before }, spec)
}

const lookUpIn = ({ loaded }: Session, documents: Documents, file: string, address: Address): LookUp =>
  createLookUp({
    given: new Set(Object.keys(loaded.bundle.variables ?? {})),
    // The variables of a module are not those of the file around it.
    document: address.startsWith('module.') ? null : documents.valueOf(file),
    specOf: (other) => {
      const place = documents.placeOf(other)
      return place?.file === file ? [...place.path, 'spec'] : undefined
    },
  })

export const takeResource = async (
  session: Session,
  documents: Documents,
  { address, wanted }: { readonly address: Address; readonly wanted: readonly Path[] },
): Promise<TakenResource> => {
  const one = session.resources.get(address)
  const place = documents.placeOf(address)
  const { desired, type, planned } = one ?? {}
  const file = place?.file ?? ''
  const at: Path = [...(place?.path ?? []), 'spec']
  const written = valueAt(documents.valueOf(file), at)
  const taking: Taking = {
    wanted,
    done: new Set(),
    refused: new Map(),
    others: [],
    origins: new WeakMap(),
    lookUp: lookUpIn(session, documents, file, address),
  }
  const isReadable = desired !== undefined && type !== undefined && planned?.before != null && isObject(written)
  let value = written ?? {}
  if (isReadable) {
    const schema = withManage(type.schema, desired.lifecycle.manage)
    const { attributes } = desired
    const live = planned.before ?? {}
    const root = {
      facts: rootOf(schema),
      written,
      resolved: attributes,
      live,
      spoken: await speak(session, address),
      path: [],
      at,
      canonical: (given: Json) => normalise(schema, isObject(given) ? given : {}, 'desired', attributes),
    }
    value = takeLive(root, taking) ?? written
  }
  const undone = wanted.filter((path) => !taking.done.has(pathText(path)))
  return {
    address,
    file,
    spec: { at, value, isChanged: value !== written },
    others: taking.others,
    origins: taking.origins,
    refused: [
      ...[...taking.refused.values()].map(({ path, refusal }) => refusedAs(address, path, refusal)),
      ...undone.map((path) => refusedAs(address, path, refusals.notWritten())),
    ],
  }
}
