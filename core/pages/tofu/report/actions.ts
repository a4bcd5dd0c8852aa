import { risks } from '../../render/report/report.ts'
import type { TofuResourceAction } from '../read/shapes.ts'

interface ActionFacts {
  readonly symbol: string
  readonly risk: number
  /** The verb after `will be` or `would be`. */
  readonly done: string
  /** As in `3 to destroy`. */
  readonly tally: string
}

type ActionRow = readonly [symbol: string, risk: number, done: string, tally: string]

/** The actions of OpenTofu and Terraform, the gravest first. Only what destroys has a minus. */
const rows: Readonly<Record<TofuResourceAction, ActionRow>> = {
  unknown: ['?', 0, 'handled by unknown actions', 'with an unknown action'],
  delete: ['-', risks.delete, 'destroyed', 'to destroy'],
  'delete-create': ['-/+', risks.replace, 'replaced (destroyed, then created)', 'to replace'],
  'create-delete': [
    '+/-',
    risks.replace,
    'replaced (created, then the old one destroyed)',
    'to replace, the new one first',
  ],
  'forget-create': [
    './+',
    risks.forget,
    'replaced (the old one is removed from the state and not destroyed, then a new one is created)',
    'to replace, the old one stays',
  ],
  'create-forget': [
    '+/.',
    risks.forget,
    'replaced (a new one is created, then the old one is removed from the state and not destroyed)',
    'to replace, the old one stays',
  ],
  forget: ['.', risks.forget, 'removed from the state (not destroyed)', 'to forget, not destroyed'],
  update: ['~', risks.update, 'changed', 'to change'],
  create: ['+', risks.create, 'created', 'to create'],
  read: ['<=', risks.read, 'read during apply', 'to read'],
  'no-op': ['*', risks.move, 'left as it is', 'to move or import only'],
}

export const factsOf = (action: TofuResourceAction): ActionFacts => {
  const [symbol, risk, done, tally] = rows[action]
  return { symbol, risk, done, tally }
}

/** The change of an object outside of the configuration. */
export const movedWords = (action: TofuResourceAction): string => {
  if (isReplacement(action)) return 'was replaced'
  return { delete: 'was deleted', forget: 'was forgotten', create: 'was created' }[action as string] ?? 'was changed'
}

export const isReplacement = (action: TofuResourceAction): boolean => action.includes('-') && action !== 'no-op'
