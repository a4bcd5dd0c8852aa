import { cp, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compare } from '../../../core/engine/diff/compare.ts'
import { normalise } from '../../../core/engine/diff/normalise.ts'
import { overlay } from '../../../core/engine/diff/overlay.ts'
import { isSame } from '../../../core/engine/schema/diff.ts'
import { loadWorkspace } from '../../../core/engine/workflows/session/load/load-workspace.ts'
import { typeOf } from '../../../core/engine/workflows/session/shared/loaded-workspace.ts'
import { host } from '../../../core/providers/machine/machine.ts'
import { readFolder } from '../../../functions/adapters/files/config-source.ts'
import { createFileTransport } from '../../../functions/adapters/transport/file/file.ts'

const differing = async (folder: string): Promise<string[]> => {
  const loaded = loadWorkspace({ ...(await readFolder(folder)), folder }, { host })
  const transport = createFileTransport({ roots: [join(folder, 'machine')] })
  const found: string[] = []
  for (const resource of loaded.configuration.resources) {
    const type = typeOf(loaded, resource.provider, resource.type) ?? expect.unreachable()
    const desired = normalise(type.schema, resource.attributes, 'desired')
    const read = await type.read({ address: resource.address, attributes: desired }, { transport })
    if (read.kind === 'unknown') expect.unreachable(read.detail)
    const observed = read.kind === 'present' ? normalise(type.schema, read.attributes, 'observed') : null
    const wanted = resource.absent ? null : overlay(type.schema, desired, observed ?? {})
    if (!isSame(compare(type.schema, observed, wanted))) found.push(resource.address)
  }
  return found
}

it('examples/host is in sync as it is shipped, and each file is watched', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-example-')))
  await cp(new URL('../../../examples/host', import.meta.url).pathname, folder, { recursive: true })
  expect(await differing(folder)).toEqual([])
  await writeFile(join(folder, 'machine/motd'), 'Coffee only today.\n')
  await writeFile(join(folder, 'files/app.ini'), '')
  await writeFile(join(folder, 'machine/etc/coffee.ini'), '')
  expect(await differing(folder)).toEqual(['host_file.motd', 'host_file.app', 'host_file.coffee'])
  await rm(folder, { recursive: true })
})
