import type { Plan } from '../../core/engine/schema/stored/plan.ts'
import { urlParts, urlWords } from '../../core/engine/values/url.ts'
import { type Asked, meet } from './api.ts'
import { addressOf, type Declaration, type Declared } from './declared.ts'
import { bindAll, type History, isForbidden, isOurs, legitimate } from './oracle.ts'
import { byUid, fold, looks, type Thing, type World } from './world.ts'

/* Whether a write that has just come to the server was rightly sent. */

/** What was approved, and how things were when it was planned. */
export interface Approval {
  readonly plan: Plan
  readonly all: Declaration
  readonly world: World
}

export interface Verdict {
  readonly violation?: string
}

const fine: Verdict = {}
const wrong = (violation: string): Verdict => ({ violation })

/** Where the server is does not count. */
const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '')

/** The approved command that a request is, by its method and URL; what an earlier command makes is any one segment. */
export const commandFor = ({ commands }: Plan, { method, url }: Asked) =>
  commands.find((command) => {
    if (command.request.method !== method) return false
    const [first = '', ...rest] = urlParts(command.request.url)
    const parts = [typeof first === 'string' ? pathOf(first) : first, ...rest].map((part) =>
      typeof part === 'string' ? part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&') : '[^/?]+',
    )
    return new RegExp(`^${parts.join('')}$`).test(pathOf(url))
  })

/** Before it is answered. `making` are the objects that this apply made. */
export const judgeWrite = (
  request: Asked,
  approval: Approval,
  world: World,
  history: History,
  making: ReadonlySet<number>,
): Verdict => {
  const command = commandFor(approval.plan, request)
  const line = `${request.method} ${new URL(request.url).pathname}`
  if (command === undefined) return wrong(`${line} was sent and is no command of the approved plan`)
  const met = meet(world, request.url)
  if (met.kind === 'mark') return judgeMark(line, request.url, met, approval, world, history)
  if (met.kind !== 'thing' || making.has(met.uid)) return fine
  const thing = byUid(world, met.uid)
  if (thing === undefined) return fine
  if (pathOf(urlWords(command.request.url)) !== pathOf(request.url))
    return judgeOwner(line, request, thing, approval, history)
  const planned = plannedFor(request.url, approval)
  const violation = judgeMeeting(line, planned, thing, approval, world)
  return violation ?? judgeOwner(line, request, planned ?? thing, approval, history)
}

/** An element that goes must be the one that its position meant when it was planned, or else one that nobody declares. */
const judgeMark = (
  line: string,
  url: string,
  { uid, mark }: Extract<ReturnType<typeof meet>, { kind: 'mark' }>,
  { all, world: before }: Approval,
  world: World,
  history: History,
): Verdict => {
  if (mark === undefined) return fine
  const owners = [...legitimate(all, world, history)].flatMap(([address, things]) =>
    things.some((each) => each.uid === uid) ? (all.get(address) ?? []) : [],
  )
  const name = byUid(world, uid)?.name
  if (owners.length === 0) return wrong(`${line} took mark ${mark} from item ${name}, which is not ours`)
  if (owners.every(({ marks }) => marks?.includes(mark))) return wrong(`${line} took mark ${mark}, which is declared`)
  const planned = meet(before, url)
  const meant = planned.kind === 'mark' ? planned.mark : undefined
  if (planned.kind === 'thing' || meant === mark) return fine
  return wrong(`${line} took mark ${mark}, and was planned for ${meant ?? 'none'}`)
}

const plannedFor = (url: string, { world }: Approval): Thing | undefined => {
  const planned = meet(world, url)
  return planned.kind === 'thing' ? byUid(world, planned.uid) : undefined
}

/** The object that a command meets must be the one that it would have met when it was planned, or one that looks the same. */
const judgeMeeting = (
  line: string,
  before: Thing | undefined,
  thing: Thing,
  approval: Approval,
  world: World,
): Verdict | undefined => {
  const words = `${thing.type} ${thing.name}`
  if (before === undefined) return wrong(`${line} met ${words}, and there was nothing when it was planned`)
  if (before.uid === thing.uid || looks(approval.world, before) === looks(world, thing)) return undefined
  return wrong(`${line} met ${words}, and was planned for ${before.type} ${before.name}`)
}

/** An `import:` entry says that it is the object of a resource, whatever it is called by now. */
const isImported = (uid: number, all: Declaration, { ties }: History): boolean =>
  ties.some((tie) => tie.uid === uid && tie.isImported === true && all.has(tie.address))

const judgeOwner = (line: string, { method }: Asked, thing: Thing, approval: Approval, history: History): Verdict => {
  const { all, world } = approval
  const words = `${thing.type} ${thing.name}`
  if (method !== 'DELETE') {
    const may = [...legitimate(all, world, history).values()].some((things) =>
      things.some(({ uid }) => uid === thing.uid),
    )
    return may ? fine : wrong(`${line} wrote to ${words}, which is not ours`)
  }
  const claimants = [...bindAll(all, world, history)].flatMap(([address, things]) =>
    things.some(({ uid }) => uid === thing.uid) ? (all.get(address) ?? []) : [],
  )
  const kept = claimants.find((declared) => !declared.absent && !isReplaced(declared, thing))
  if (kept !== undefined) return wrong(`${line} destroyed ${words}, which ${addressOf(kept)} declares`)
  if (isImported(thing.uid, all, history)) return fine
  if (claimants.length > 0 || isForbidden(thing, all, world, history)) return fine
  if (isOurs(thing.uid, world, history)) return fine
  return wrong(`${line} destroyed ${words}, which is not ours`)
}

const isReplaced = ({ lifecycle, kind, type }: Declared, thing: Thing): boolean =>
  lifecycle['onImmutable'] === 'replace' && type === 'item' && kind !== thing.kind

/** After a create: whether somebody declares this very object, and for which address it was made. */
export const judgeCreate = (
  thing: Thing,
  approval: Approval,
  world: World,
  history: History,
  making: ReadonlySet<number>,
): Verdict & { readonly address?: string } => {
  const may = legitimate(approval.all, world, history)
  const isIn = (declared: Declared): boolean => {
    if (thing.zone === undefined || declared.zone === undefined) return thing.zone === undefined
    const zone = byUid(world, thing.zone)
    const name = approval.all.get(`m_zone.${declared.zone.label}`)?.name ?? declared.zone.name
    const isNew =
      making.has(thing.zone) && zone !== undefined && fold(world.model, zone.name) === fold(world.model, name)
    const isNamed = world.model.byName && zone !== undefined && fold(world.model, zone.name) === fold(world.model, name)
    return isNew || isNamed || (may.get(`m_zone.${declared.zone.label}`) ?? []).some(({ uid }) => uid === thing.zone)
  }
  const declared = [...approval.all.values()].find(
    (each) =>
      !each.absent &&
      each.type === thing.type &&
      fold(world.model, each.name) === fold(world.model, thing.name) &&
      (each.type === 'zone' || world.model.keys === 1 || each.space === thing.space) &&
      isIn(each),
  )
  const where = thing.zone === undefined ? '' : ` in zone ${byUid(world, thing.zone)?.name}`
  if (declared === undefined) return wrong(`${thing.type} ${thing.name}${where} was made, and nobody declares it`)
  return { address: addressOf(declared) }
}
