import type { Json, JsonObject } from '../../core/engine/schema/json.ts'
import type { Bundle } from '../../core/engine/schema/stored/bundle.ts'
import { documentOf } from './document.ts'
import { idsOfType, type Model } from './model.ts'
import type { ThingType } from './world.ts'

/* What the configuration declares, and the files that say so. */

export interface Declared {
  readonly type: ThingType
  readonly label: string
  readonly name: string
  readonly space: string
  /** The label of its zone. Where references are names, also what that zone was called last. */
  readonly zone?: { readonly label: string; readonly name: string }
  readonly size: number
  readonly tags?: readonly string[]
  readonly kind: string
  readonly note: string
  readonly marks?: readonly string[]
  readonly lifecycle: JsonObject
  /** It shall not exist. */
  readonly absent: boolean
  /** The id of the existing object that it is, by an `import:` entry. */
  readonly imported?: string
}

export type Declaration = ReadonlyMap<string, Declared>

export const addressOf = ({ type, label }: Pick<Declared, 'type' | 'label'>): string => `m_${type}.${label}`

export const tokenText = 'a secret of the model'
export const tokenSource = 'env:MODEL_TOKEN'

const specOf = (model: Model, declared: Declared, all: Declaration): JsonObject => {
  const { type, name, space, zone, size, tags, kind, note, marks, absent } = declared
  if (type === 'zone') return absent ? { name } : { name, note }
  const identity = {
    name,
    ...(model.keys === 2 ? { space } : {}),
    ...(zone === undefined ? {} : { zone: zoneText(model, zone, all) }),
  }
  if (absent) return identity
  return {
    ...identity,
    size,
    kind,
    ...(tags === undefined ? {} : { tags: [...tags] }),
    ...(model.marks && marks !== undefined ? { marks: marks.map((each) => ({ name: each })) } : {}),
    ...(model.secret ? { token: { secret: tokenSource } } : {}),
  }
}

const zoneText = (model: Model, { label, name }: { label: string; name: string }, all: Declaration): string => {
  if (model.byName) return all.get(`m_zone.${label}`)?.name ?? name
  return `\${resource.m_zone.${label}.${idsOfType(model, 'zone') === 'none' ? 'name' : 'id'}}`
}

const resourceOf = (model: Model, declared: Declared, all: Declaration): Json => {
  const { type, label, zone, lifecycle, absent } = declared
  const parent = `m_zone.${zone?.label}`
  return {
    type: `m_${type}`,
    name: label,
    ...(absent ? { absent } : {}),
    spec: specOf(model, declared, all),
    ...(model.byName && all.has(parent) ? { dependsOn: [parent] } : {}),
    ...(Object.keys(lifecycle).length === 0 ? {} : { lifecycle }),
  }
}

export interface Move {
  readonly from: string
  readonly to: string
}

const documents = new WeakMap<Model, string>()

const documentText = (model: Model): string => {
  const text = documents.get(model) ?? JSON.stringify(documentOf(model))
  documents.set(model, text)
  return text
}

export interface Here {
  readonly all: Declaration
  readonly moved: readonly Move[]
  /** Addresses that left and whose objects were handed over to somebody else. */
  readonly removed: readonly string[]
}

/** A move that leads to nothing declared in the end, or whose beginning is there again, says nothing any more. */
export const standingMoves = ({ all, moved }: Here): readonly Move[] => {
  const stands = ({ from, to }: Move): boolean =>
    !all.has(from) && (all.has(to) || moved.some((next) => next.from === to && stands(next)))
  return moved.filter(stands)
}

/** An address that is declared again, or that moves, is not handed over. */
export const standingRemoved = (here: Here): readonly string[] => {
  const moving = new Set(standingMoves(here).map(({ from }) => from))
  return here.removed.filter((address) => !here.all.has(address) && !moving.has(address))
}

export const bundleOf = (model: Model, baseUrl: string, here: Here, workspace = 'model'): Bundle => {
  const { all } = here
  const standing = standingMoves(here)
  const removed = standingRemoved(here)
  const imports = [...all.values()].flatMap((each) =>
    each.imported === undefined ? [] : [{ to: addressOf(each), id: { id: each.imported } }],
  )
  return {
    entry: 'plumbline.json',
    files: {
      'plumbline.json': JSON.stringify({
        workspace,
        providers: { model: { source: 'rest', definition: './model.json', with: { baseUrl } } },
        resources: [...all.values()].map((each) => resourceOf(model, each, all)),
        ...(standing.length === 0 ? {} : { moved: standing.map((each) => ({ ...each })) }),
        ...(imports.length === 0 ? {} : { import: imports }),
        ...(removed.length === 0 ? {} : { removed: removed.map((address) => ({ address, reason: 'handed over' })) }),
      }),
      'model.json': documentText(model),
    },
  }
}
