import type { ProbeReport } from '../../../core/engine/schema/reports/probe-report.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import { type ProbeInput, probeProvider } from '../../../core/tools/authoring/probe/probe-provider.ts'
import { actor, testDeps } from './workspace.ts'

/** The four requests of an object that its path names, as `operations` of a provider document. */
export const operationsAt = (path: string): string =>
  `{ retrieve: { method: GET, path: "${path}" }, create: { method: PUT, path: "${path}" }, update: { method: PATCH, path: "${path}" }, delete: { method: DELETE, path: "${path}" } }`

export interface MoreOfProbe extends Partial<ProbeInput> {
  /** Values of secrets by their source. */
  readonly secrets?: Readonly<Record<string, string>>
}

/** Probes the server of a document. `send` is that server; without it the requests go out. `undefined`: the user did not agree. */
export const tryProbing = async (
  text: string,
  send?: Transport['send'],
  { secrets = {}, ...more }: MoreOfProbe = {},
): Promise<ProbeReport | undefined> => {
  const world = testDeps(send === undefined ? {} : { transport: () => ({ send }) })
  Object.assign(world.secrets, secrets)
  const input: ProbeInput = {
    document: { name: 'api.yaml', text },
    files: {},
    with: {},
    types: [],
    given: {},
    actor,
    confirm: async () => true,
    shouldStop: () => false,
    ...more,
  }
  return probeProvider(input, world.deps)
}

/** As `tryProbing`, for a user who agrees. */
export const probing = async (...given: Parameters<typeof tryProbing>): Promise<ProbeReport> => {
  const report = await tryProbing(...given)
  if (report === undefined) throw new Error('the user did not agree to the probe')
  return report
}
