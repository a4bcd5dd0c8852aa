import type { ResourceHead } from './read-resource.ts'
import { elementsOf, isMap, memberOf, type Value } from './value.ts'

/** The expressions of a resource in the configuration; `undefined` if it is not there. */
export type Expressions = (head: Pick<ResourceHead, 'moduleAddress' | 'mode' | 'type' | 'name'>) => Value | undefined

const keyOf = (...names: readonly unknown[]): string => JSON.stringify(names)

/** An address without the keys of instances: `module.a["x"].b[0]` is one of `module.a.b`. */
const withoutKeys = (address: string): string => address.replace(/\[(?:"(?:[^"\\]|\\.)*"|[^\]"]*)\]/g, '')

/** The configuration's resources by module, mode, type and name. The instances of a module share one. */
export const readConfiguration = (configuration: Value | undefined): Expressions => {
  const found = new Map<string, Value | undefined>()
  const visit = (module: Value | undefined, path: string): void => {
    for (const resource of elementsOf(memberOf(module, 'resources'))) {
      const names = ['mode', 'type', 'name'].map((name) => memberOf(resource, name))
      found.set(keyOf(path, ...names), memberOf(resource, 'expressions'))
    }
    const calls = memberOf(module, 'module_calls')
    for (const [name, call] of isMap(calls) ? calls : [])
      visit(memberOf(call, 'module'), path === '' ? `module.${name}` : `${path}.module.${name}`)
  }
  visit(memberOf(configuration, 'root_module'), '')
  return ({ moduleAddress = '', mode, type, name }) => found.get(keyOf(withoutKeys(moduleAddress), mode, type, name))
}
