import { isArray, isObject, type Json, type JsonObject, type Path } from '../../schema/json.ts'
import { isMark } from '../../schema/value.ts'
import { isKey, maxKey } from '../../values/addresses/declarable.ts'
import { kindOf } from '../../values/words.ts'
import { holdsHole } from '../expressions/references.ts'
import type { Each, Frame } from '../references/frame.ts'
import type { Resolver } from '../references/resolve-values.ts'
import { say } from './words.ts'

const ofMap = (value: JsonObject, path: Path, { report }: Frame): readonly Each[] | undefined => {
  const wrong = Object.keys(value).filter((key) => !isKey(key))
  for (const key of wrong) report([...path, key], say('notKey', maxKey), 'key')
  return wrong.length > 0 ? undefined : Object.entries(value).map(([key, each]) => ({ key, value: each }))
}

const ofList = (value: readonly Json[], path: Path, { report }: Frame): readonly Each[] | undefined => {
  const keys = new Set<string>()
  let wrong = false
  for (const [index, key] of value.entries()) {
    const found =
      typeof key !== 'string'
        ? say('keyNotText', kindOf(isMark(key) ? '' : key))
        : keys.has(key)
          ? say('keyTwice', key)
          : isKey(key)
            ? undefined
            : say('notKey', maxKey)
    if (typeof key === 'string') keys.add(key)
    if (found === undefined) continue
    report([...path, index], found)
    wrong = true
  }
  return wrong ? undefined : [...keys].map((key) => ({ key, value: key }))
}

/** In the order of `forEach`; `undefined` if it has a problem, which is reported. */
export const instancesIn = (
  written: Json,
  path: Path,
  frame: Frame,
  resolver: Resolver,
): readonly Each[] | undefined => {
  // The object itself is not read as a secret, whatever members it has.
  const value = isObject(written) ? resolver.members(frame, written, path) : resolver.value(frame, written, path)
  if (value === undefined || holdsHole(value)) return undefined
  if (isArray(value)) return ofList(value, path, frame)
  if (isObject(value) && !isMark(value)) return ofMap(value, path, frame)
  return frame.report(path, say('notForEach', kindOf(value)))
}
