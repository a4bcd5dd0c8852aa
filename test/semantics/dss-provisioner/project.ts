import type { JsonObject } from '../../../core/engine/schema/json.ts'
import { dssKey, startDss } from '../../builders/dss/dss-server.ts'
import { driveExample, type Wanted } from '../../builders/workspaces/example-workspace.ts'

/** A resource of the example's types in the project P. */
export const inProject = (type: string, name: string, spec: JsonObject = {}, more: JsonObject = {}): Wanted => ({
  type: `dss_${type}`,
  name,
  spec: { project: 'P', name, ...spec },
  ...more,
})

export const aDataset = (name: string, spec: JsonObject = {}): Wanted =>
  inProject('dataset', name, { type: 'Filesystem', connection: 'c', path: `/${name}`, ...spec })

/** The stand-in of DSS with an empty project P, and the workflows over it; `await using` ends it. */
export const aProject = async (...resources: readonly Wanted[]) => {
  const dss = await startDss()
  dss.addProject('P')
  const drive = driveExample(
    {
      example: 'dataiku',
      with: { host: dss.url, apiKey: { secret: 'env:DSS_KEY' } },
      secrets: { 'env:DSS_KEY': dssKey },
      base: `${dss.url}/dip/publicapi`,
    },
    resources,
  )
  const send = async (method: string, path: string, body: JsonObject): Promise<void> => {
    const authorization = `Basic ${Buffer.from(`${dssKey}:`).toString('base64')}`
    const headers = { authorization, 'content-type': 'application/json' }
    const url = `${dss.url}/dip/publicapi/projects/P${path}`
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
    dss.forget()
  }
  const checkAndApply = async () => {
    const checked = await drive.check()
    return { ...checked, apply: await drive.apply(checked.digest) }
  }
  const project = () => {
    const found = dss.projects.get('P')
    if (found === undefined) throw new Error('the project is gone')
    return found
  }
  return { ...drive, dss, send, checkAndApply, project, [Symbol.asyncDispose]: () => dss[Symbol.asyncDispose]() }
}
