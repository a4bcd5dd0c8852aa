import { builtinModules } from 'node:module'
import { law } from './import-law.mjs'

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
const isFile = (name) => name.endsWith('.ts')
const tail = (name) => (isFile(name) ? '$' : '/')
const pathOf = (name) => `^${escaped(name)}${tail(name)}`

const builtIn = `^(node:)?(${builtinModules.map(escaped).join('|')})$`

/** What an entry of `may` stands for, as a pattern of paths. */
const patternOf = (name) => {
  if (/^(core|functions|infra)(\/|$)/.test(name)) return pathOf(name)
  if (name === 'node:*') return builtIn
  if (name.startsWith('node:')) return `^(node:)?${escaped(name.slice('node:'.length))}$`
  return `node_modules/(@types/)?${escaped(name.replace(/\/\*$/, ''))}/`
}

/** Rows of folders and files inside of this one. */
const within = (folder) => law.filter((row) => row.folder.startsWith(`${folder}/`)).map((row) => row.folder)

/** The files of a row, without those of more specific rows. */
const ownPattern = (folder) => {
  const others = within(folder).map((inner) => escaped(inner.slice(folder.length + 1)) + tail(inner))
  return others.length === 0 ? pathOf(folder) : `^${escaped(folder)}/(?!${others.join('|')})`
}

const ruleOf = ({ folder, may, why }) => ({
  name: folder,
  comment: why,
  severity: 'error',
  from: { path: ownPattern(folder) },
  to: { pathNot: [ownPattern(folder), ...may.map(patternOf)] },
})

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...law.map(ruleOf),
    { name: 'no-cycles', comment: 'type imports count too', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'otterdog-is-loaded-late',
      comment: 'only a configuration that uses this format pays for it',
      severity: 'error',
      from: { path: '^core/', pathNot: '^core/sources/otterdog/' },
      to: { path: '^core/sources/otterdog/', dynamic: false },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
    combinedDependencies: true,
  },
}
