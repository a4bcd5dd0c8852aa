import type { ResourceType } from '../../../core/engine/provider/provider.ts'
import type { PlannedRequest } from '../../../core/engine/schema/command.ts'
import type { Json, JsonObject } from '../../../core/engine/schema/json.ts'
import { resolveValue } from '../../../core/engine/transport/secrets/resolve-value.ts'
import type { Transport } from '../../../core/engine/transport/transport.ts'
import { createKnownObjects, liveValue } from '../../../core/engine/workflows/session/shared/known-objects.ts'
import { testSeal } from '../workspaces/rest.ts'
import { answerTo } from './server.ts'
import type { FrameDocument } from './shape.ts'

/** Keeps one object, and answers to its requests. */
export const hold = (document: Pick<FrameDocument, 'way' | 'members' | 'addsOwn'>, first: JsonObject) => {
  const held = { state: first }
  const known = createKnownObjects()
  const transport: Transport = {
    send: async ({ method }) => {
      if (method !== 'GET') throw new Error(`a read sent a ${method}`)
      return { status: 200, headers: {}, body: structuredClone(held.state) as Json }
    },
  }
  const write = async (type: ResourceType, { body }: PlannedRequest): Promise<void> => {
    const read = await type.read({ address: 'api_thing.one', attributes: { name: 'one' } }, { transport })
    if (read.kind !== 'present') throw new Error(`not read: ${JSON.stringify(read)}`)
    const { objects = {}, attributes } = read
    const sent = await resolveValue(body ?? null, {
      secret: async (source, digest) =>
        source.startsWith('live:')
          ? liveValue(source, digest, { ...known, of: () => ({ attributes, objects }) }, testSeal)
          : 'secret',
      live: ({ $live }) => objects[$live.split('#')[1] ?? ''] ?? {},
    })
    held.state = answerTo(document, held.state, sent)
  }
  return { held, transport, write }
}
