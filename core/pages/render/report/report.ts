import type { Command } from '../../../engine/schema/command.ts'
import type { Position } from '../../../engine/schema/resource.ts'
import type { NamedReference } from '../../../engine/schema/stored/plan.ts'
import type { Prose } from '../characters/prose.ts'
import type { Row } from '../rows/row.ts'
import type { ReportList } from './lists.ts'
import type { Tally } from './tally.ts'

/*
 * What is reported, before a format is chosen. Each format is a pure function of it, so that all say the same. Texts
 * of the plan are not yet safe to print unless a member says so.
 */

export interface RenderOptions {
  /** ANSI colours; text only. */
  readonly color?: boolean
  /** Columns of the terminal; text only. */
  readonly width?: number
  /** What changes in the same way is shown once, and long lists of names are cut; text only. */
  readonly brief?: boolean
  /** When the check was made, ISO 8601. */
  readonly at?: string
  /** Where the files of the workspace are, seen by the reader; absent: beside the reader. */
  readonly folder?: string | undefined
}

export interface Report {
  /** The workspace, or the file that was read. */
  readonly title: string
  readonly headline: Prose
  readonly tone: 'good' | 'change' | 'unknown'
  /** When the check was made, ISO 8601. */
  readonly at?: string
  /** Where the files of the workspace are, for those who open them; without it, beside the reader. */
  readonly folder?: string
  /** Warnings that come before the rest: planning failed part-way, a later format. */
  readonly notes: readonly Prose[]
  readonly tallies: readonly Tally[]
  /** Counts by module, parents before children; empty where all is in the root. */
  readonly modules: readonly ModuleTally[]
  readonly sections: readonly Section[]
  readonly lists: readonly ReportList[]
  /** What would be sent, and how to approve it. */
  readonly commands?: {
    readonly list: readonly Command[]
    /** How many more there are, of what is not shown by itself. */
    readonly omitted?: number
    readonly workspace: string
    /** Absent: it cannot be approved. */
    readonly digest?: string
    /** Where it is the page of a part of a plan. */
    readonly targets?: readonly string[]
    readonly exclude?: readonly string[]
    /** What ids in them are called in the configuration. */
    readonly references?: readonly NamedReference[]
  }
}

/** Blocks under one title; the changes themselves have none. */
export interface Section {
  readonly kind: 'changes' | 'drift' | 'actions' | 'deferred' | 'outputs' | 'objects'
  readonly title?: string
  /** Nothing has to be done about its blocks: they are told and not counted. */
  readonly idle?: true
  readonly blocks: readonly Block[]
}

/** One resource, or several that change alike. */
export interface Block {
  /** `+`, `~`, `-`, `-/+`, `+/-`, `<=`, `.`, `*`; what destroys holds a minus. */
  readonly symbol: string
  readonly tone: 'create' | 'update' | 'delete' | 'other'
  /** Of `risks`; the gravest is 0. */
  readonly risk: number
  readonly address: string
  readonly module?: string
  /** More addresses whose change is the same to the last character. */
  readonly also: readonly string[]
  /** More addresses where the same attributes change, with other values. */
  readonly similar?: readonly string[]
  /** What will be done and why, for example `will be destroyed: it is no longer in the configuration`. */
  readonly words: Prose
  /** A suffix where a format has only one line for it, for example ` (1 drift, 2 pending)`. */
  readonly brief?: string
  /** What the two sides of its rows are, where they are not now and then: `last agreed -> now`. */
  readonly sides?: string
  readonly blocked?: true
  /** The id of the object at its provider, if the change keeps it. */
  readonly id?: string
  /** Where it is declared. */
  readonly place?: Position
  readonly rows: readonly Row[]
}

/** Those that change alike with the one that is shown. */
export const resourcesIn = ({ blocks }: Section): number =>
  blocks.reduce((sum, { also, similar = [] }) => sum + 1 + also.length + similar.length, 0)

/** The gravest first. */
export const risks = {
  delete: 0,
  replace: 1,
  forget: 2,
  update: 3,
  create: 4,
  read: 5,
  move: 6,
  none: 7,
} as const

/** Of one module alone, without its children. */
export interface ModuleTally {
  /** Full address; empty for the root. */
  readonly module: string
  readonly depth: number
  /** The last step alone, for example `module.web["a"]`. */
  readonly label: string
  readonly counts: readonly { readonly symbol: string; readonly n: number }[]
}

/** What destroys holds a minus. */
export const toneOfSymbol = (symbol: string): Block['tone'] => {
  if (symbol.includes('-')) return 'delete'
  if (symbol === '+') return 'create'
  return ['', '*', '<='].includes(symbol) ? 'other' : 'update'
}

/**
 * Blocks that are the same to the last character, apart from address, module, id and place, become one that lists the others:
 * the same tag on two hundred resources is read once. The first of them stays where it is.
 */
export const foldAlike = (blocks: readonly Block[]): readonly Block[] =>
  [...Map.groupBy(blocks, likeness).values()].flatMap((alike) => {
    const [first, ...others] = alike
    if (first === undefined) return []
    if (others.length === 0) return [first]
    const { place: _, id: __, ...shared } = first
    return [{ ...shared, also: others.map((block) => block.address) }]
  })

const likeness = ({ address: _, module: __, place: ___, id: ____, ...shown }: Block): string => JSON.stringify(shown)
