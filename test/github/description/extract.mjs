/*
 * Cuts the part of GitHub's official REST description that the stand-in needs out of the npm package @octokit/openapi (MIT).
 *
 *   mkdir /tmp/openapi && cd /tmp/openapi && npm init -y && npm install --ignore-scripts @octokit/openapi@23.0.2
 *   node test/github/description/extract.mjs /tmp/openapi/node_modules/@octokit/openapi
 *
 * operations.json names the operations: those of github.com, and those that only the description of GitHub Enterprise Cloud has.
 * Examples, descriptions and vendor extensions are left out. The package is no dependency: it has 400 MB.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2]
if (folder === undefined) {
  process.stderr.write('say where @octokit/openapi is: node extract.mjs FOLDER\n')
  process.exit(1)
}
const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
const wanted = read(new URL('operations.json', import.meta.url))
const { version, license } = read(join(folder, 'package.json'))

/** What stands below these keys is named by somebody: `description` is a property there, not a description. */
const named = new Set(['properties', 'patternProperties', 'headers', 'schemas', 'parameters', 'responses'])
const dropped = new Set([
  'description',
  'summary',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'title',
  'deprecated',
])
const isDropped = (key) => dropped.has(key) || key.startsWith('x-')

const trimmed = (value, inNames = false) => {
  if (Array.isArray(value)) return value.map((each) => trimmed(each))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => inNames || !isDropped(key))
  return Object.fromEntries(
    kept.map(([key, each]) => [
      key,
      key === 'enum' || key === 'default' ? each : trimmed(each, !inNames && named.has(key)),
    ]),
  )
}

const references = (value, found = new Set()) => {
  if (Array.isArray(value)) for (const each of value) references(each, found)
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) {
      if (key === '$ref' && typeof each === 'string') found.add(each)
      else references(each, found)
    }
  return found
}

const out = { openapi: '3.0.3', info: { source: `@octokit/openapi@${version}`, license }, paths: {}, components: {} }

const takeComponents = (source, value) => {
  for (const reference of references(value)) {
    const [, , group, name] = reference.split('/')
    out.components[group] ??= {}
    if (out.components[group][name] !== undefined) continue
    const component = trimmed(source.components[group][name])
    // Headers, links and pages of examples are no part of what is checked.
    if (group === 'examples' || group === 'headers') continue
    out.components[group][name] = component
    takeComponents(source, component)
  }
}

const takeOperation = (source, path, method, operation) => {
  const { operationId, parameters = [], requestBody, responses, 'x-github': vendor } = operation
  const bodies = Object.entries(responses).map(([status, response]) => {
    const { headers, links, ...rest } = response
    return [status, rest]
  })
  const cut = trimmed({
    operationId,
    parameters,
    ...(requestBody && { requestBody }),
    responses: Object.fromEntries(bodies),
  })
  out.paths[path] ??= {}
  out.paths[path][method] = { ...cut, category: vendor?.category, subcategory: vendor?.subcategory }
  takeComponents(source, cut)
}

for (const [name, operations] of Object.entries(wanted)) {
  const source = read(join(folder, 'generated', `${name}.json`))
  const missing = new Set(operations)
  for (const [path, methods] of Object.entries(source.paths))
    for (const [method, operation] of Object.entries(methods))
      if (missing.delete(operation.operationId)) takeOperation(source, path, method, operation)
  if (missing.size > 0) throw new Error(`${name} has no operation ${[...missing].join(', ')}`)
}

const sorted = (object) => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)))
out.paths = sorted(out.paths)
out.components = Object.fromEntries(Object.entries(sorted(out.components)).map(([group, all]) => [group, sorted(all)]))
const text = `${JSON.stringify(out)}\n`
writeFileSync(new URL('github.json', import.meta.url), text)
process.stdout.write(`${Object.values(wanted).flat().length} operations, ${text.length} bytes\n`)
