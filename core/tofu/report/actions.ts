import { risks } from '../../render/report/report.ts'
import type { TofuResourceAction } from '../read/shapes.ts'

interface ActionFacts {
  readonly symbol: string
  readonly risk: number
  /** Behind `will be` or `would be`. */
  readonly done: string
  /** As in `3 to destroy`. */
  readonly tally: string
  /** What happened where it is found outside. */
  readonly moved: string
}

/** The actions of OpenTofu and Terraform, the gravest first. Only what destroys has a minus. */
export const actionFacts: Readonly<Record<TofuResourceAction, ActionFacts>> = {
  unknown: {
    symbol: '?',
    risk: 0,
    done: 'handled by actions that are not known here',
    tally: 'with an unknown action',
    moved: 'was changed',
  },
  delete: {
    symbol: '-',
    risk: risks.delete,
    done: 'destroyed',
    tally: 'to destroy',
    moved: 'was deleted',
  },
  'delete-create': {
    symbol: '-/+',
    risk: risks.replace,
    done: 'replaced (destroyed, then created)',
    tally: 'to replace',
    moved: 'was replaced',
  },
  'create-delete': {
    symbol: '+/-',
    risk: risks.replace,
    done: 'replaced (the new one first, then the old one goes)',
    tally: 'to replace, the new one first',
    moved: 'was replaced',
  },
  'forget-create': {
    symbol: './+',
    risk: risks.forget,
    done: 'replaced (the old one is forgotten and stays, then a new one is created)',
    tally: 'to replace, the old one stays',
    moved: 'was replaced',
  },
  'create-forget': {
    symbol: '+/.',
    risk: risks.forget,
    done: 'replaced (a new one is created, then the old one is forgotten and stays)',
    tally: 'to replace, the old one stays',
    moved: 'was replaced',
  },
  forget: {
    symbol: '.',
    risk: risks.forget,
    done: 'forgotten (it stays as it is, no longer managed)',
    tally: 'to forget, not destroyed',
    moved: 'was forgotten',
  },
  update: {
    symbol: '~',
    risk: risks.update,
    done: 'changed',
    tally: 'to change',
    moved: 'was changed',
  },
  create: {
    symbol: '+',
    risk: risks.create,
    done: 'created',
    tally: 'to create',
    moved: 'was created',
  },
  read: {
    symbol: '<=',
    risk: risks.read,
    done: 'read while applying',
    tally: 'to read',
    moved: 'was read',
  },
  'no-op': {
    symbol: '*',
    risk: risks.move,
    done: 'left as it is',
    tally: 'to move or import only',
    moved: 'did not change',
  },
}

export const isReplacement = (action: TofuResourceAction): boolean => action.includes('-') && action !== 'no-op'
