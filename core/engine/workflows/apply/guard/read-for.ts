import { nothingWritten, type OwnWrites, withCommand } from '../../../plan/commands/own-writes.ts'
import type { ObjectSchema } from '../../../schema/attribute.ts'
import type { Command } from '../../../schema/command.ts'
import type { JsonObject } from '../../../schema/json.ts'
import { holdsLive } from '../../../values/marks/marks.ts'
import type { LearnedValues } from '../../session/shared/known-objects.ts'

/**
 * The attributes that the read before a command has to show; `undefined` for all of them: if the command is about the whole
 * object, or what it depends on is not known by attribute (objects that are sent back, versions), or an earlier command may
 * have moved what it is about.
 */
export const readFor = (
  { action, footprint, about, request }: Command,
  own: OwnWrites,
  { versions = {} }: LearnedValues,
): readonly string[] | undefined => {
  if (footprint === undefined || (action !== 'update' && action !== 'call')) return undefined
  const { sets = [], elements = [], affects = [] } = footprint
  if (Object.keys(versions).length > 0 || holdsLive(request.body)) return undefined
  const names = [...sets, ...elements.map(({ of }) => of), ...affects, ...(about === undefined ? [] : [about.of])]
  return names.some((name) => own.affected.has(name)) ? undefined : names
}

/**
 * The same for the read after all commands of an object: what they wrote, and what the target may have moved with it. The check
 * that follows the apply reads the rest.
 */
export const readAfter = (
  commands: readonly Command[],
  schema: ObjectSchema,
  known: LearnedValues,
): readonly string[] | undefined => {
  const about = commands.map((command) => readFor(command, nothingWritten, known))
  const isKnown = (names: (typeof about)[number]): names is readonly string[] => names !== undefined
  const moved = commands.flatMap(({ footprint }) => [...withCommand(schema, nothingWritten, footprint, {}).affected])
  return about.length > 0 && about.every(isKnown) ? [...new Set([...about.flat(), ...moved])] : undefined
}

/** Attributes that a read about others has not shown: they may have any value, as if our own commands had moved them. */
export const unreadIn = ({ attributes }: ObjectSchema, read: JsonObject, only: readonly string[]): readonly string[] =>
  Object.keys(attributes).filter((name) => !Object.hasOwn(read, name) && !only.includes(name))
