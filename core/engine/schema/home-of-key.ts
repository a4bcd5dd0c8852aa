import * as z from 'zod'
import { isObject, type JsonObject, type Path } from './json.ts'

type Shape = z.core.$ZodType
type Members = z.core.$ZodShape

interface Misplaced {
  /** Of the mapping with the unknown key. */
  readonly path: Path
  readonly key: string
  /** The mapping. */
  readonly around: JsonObject
}

/**
 * Where a key that a mapping does not know may be written instead, because its value fits there: in a mapping or list that the
 * mapping has, else in the nearest mapping around it, else among the free names of the only mapping that has such. `undefined` where
 * no place has it, or several inside have.
 *
 * @param root the shape of the whole value
 */
export const homeOfKey = (root: Shape, { path, key, around }: Misplaced): Path | undefined => {
  const along = [plain(root)]
  for (const step of path) along.push((along.at(-1) ?? []).flatMap((shape) => inner(shape, step)))
  const fits = (shape: Shape): boolean => {
    const members = membersOf(shape)
    const member = Object.hasOwn(members, key) ? members[key] : undefined
    return member !== undefined && z.safeParse(member, around[key]).success
  }
  const inside = (along.at(-1) ?? []).flatMap((shape) => placesIn(shape, fits, around))
  const places = new Map(inside.map((place) => [JSON.stringify(place), place]))
  const [place] = places.values()
  if (place !== undefined) return places.size === 1 ? [...path, ...place, key] : undefined
  const depth = along.slice(0, -1).findLastIndex((shapes) => shapes.some(fits))
  if (depth !== -1) return [...path.slice(0, depth), key]
  const open = path.length === 0 ? undefined : openMember(along.at(-1) ?? [], { key, around })
  return open === undefined ? undefined : [...path, open, key]
}

const openMember = (shapes: readonly Shape[], { key, around }: Omit<Misplaced, 'path'>): string | undefined => {
  // A plain value fits by coincidence, unless each value does.
  const samples = isObject(around[key]) ? [around[key]] : [around[key], { [key]: [around[key]] }]
  const isOpen = (member: Shape): boolean =>
    plain(member).some(
      (each) => isRecord(each) && samples.every((value) => z.safeParse(each, { [key]: value }).success),
    )
  const members = shapes.flatMap((shape) => Object.entries(membersOf(shape)))
  const open = new Set(members.filter(([, member]) => isOpen(member)).map(([name]) => name))
  const [member] = open
  return open.size === 1 ? member : undefined
}

const isRecord = ({ _zod: { def } }: Shape): boolean => def.type === 'record'

/** Members, or the first element of lists that are written, where the key fits. */
const placesIn = (shape: Shape, fits: (shape: Shape) => boolean, around: JsonObject): readonly Path[] =>
  Object.entries(membersOf(shape)).flatMap(([name, member]) =>
    plain(member).flatMap((each): readonly Path[] => {
      if (fits(each)) return [[name]]
      const isWritten = each._zod.def.type === 'array' && Object.hasOwn(around, name)
      return isWritten && inner(each, 0).some(fits) ? [[name, 0]] : []
    }),
  )

const membersOf = ({ _zod: { def } }: Shape): Members =>
  def.type === 'object' ? (def as z.core.$ZodObjectDef).shape : {}

const inner = ({ _zod: { def } }: Shape, step: string | number): readonly Shape[] => {
  if (def.type === 'array') return plain((def as z.core.$ZodArrayDef).element)
  if (def.type === 'record') return plain((def as z.core.$ZodRecordDef).valueType)
  const { shape = {} } = def.type === 'object' ? (def as z.core.$ZodObjectDef) : {}
  const member = Object.hasOwn(shape, step) ? (shape as Members)[step] : undefined
  return member === undefined ? [] : plain(member)
}

/** Without what wraps it; each form of a union by itself. */
const plain = (shape: Shape): readonly Shape[] => {
  const { def } = shape._zod
  if (def.type === 'union') return (def as z.core.$ZodUnionDef).options.flatMap(plain)
  if (def.type === 'lazy') return plain((def as z.core.$ZodLazyDef).getter())
  if (def.type === 'pipe') return plain((def as z.core.$ZodPipeDef).in)
  return 'innerType' in def ? plain(def.innerType as Shape) : [shape]
}
