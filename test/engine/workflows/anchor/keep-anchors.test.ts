import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifyAnchors } from '../../../../core/engine/ledger/anchors.ts'
import { ledgerLine } from '../../../../core/engine/ledger/chain.ts'
import { findAnchored, noteUnanchored } from '../../../../core/engine/state/anchors.ts'
import { appendLedger, readWholeLedger } from '../../../../core/engine/state/ledger.ts'
import { anchorLedger, keepAnchors } from '../../../../core/engine/workflows/anchor/anchor-later.ts'
import { checkWorkspace } from '../../../../core/engine/workflows/check/check-workspace.ts'
import type { LedgerAnchors } from '../../../../core/engine/workflows/deps.ts'
import { oldestUnanchoredSeconds } from '../../../../core/engine/workflows/schedule/find-overdue.ts'
import { putWorkspace } from '../../../../core/engine/workflows/workspace/put-workspace.ts'
import { signedBy } from '../../../../functions/adapters/anchor-key.ts'
import { startShop } from '../../../builders/servers/fake-api.ts'
import { aDraft } from '../../../builders/values/records.ts'
import { driveShop, workspace } from '../../../builders/workspaces/shop-workspace.ts'
import { actor, movableClock } from '../../../builders/workspaces/workspace.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = String(publicKey.export({ type: 'spki', format: 'pem' }))
const dayMs = 86_400_000

/** Keeps what is signed in memory; `down`: refuses to keep. */
const standIn = () => {
  const kept = new Map<string, string>()
  const fate = { down: false }
  const anchors: LedgerAnchors = {
    deployment: 'd',
    sign: async (text) => sign('sha256', Buffer.from(text), privateKey).toString('base64'),
    publicKey: async () => pem,
    keep: async (name, text) => {
      if (fate.down) throw new Error('down')
      kept.set(name, text)
    },
  }
  const found = () => [...kept].filter(([name]) => name.endsWith('.json')).map(([name, text]) => ({ name, text }))
  return { anchors, kept, fate, found }
}

const world = async (shop: Awaited<ReturnType<typeof startShop>>) => {
  const clock = movableClock()
  const standing = standIn()
  const driven = driveShop(shop, ['{ type: shop_label, name: sale, spec: { name: sale, text: all } }'], {
    clock,
    anchors: standing.anchors,
  })
  const { store } = driven.deps
  await appendLedger(store, workspace, [aDraft(1, { workspace })])
  const verify = async () => {
    const lines = await Array.fromAsync(readWholeLedger(store, workspace), ledgerLine)
    return verifyAnchors(lines, standing.found(), signedBy(pem)!, { workspace })
  }
  return { ...driven, ...standing, clock, store, verify }
}

describe('the anchors of a deployment', () => {
  it('are kept at once, hold, and still hold after further entries', async () => {
    await using shop = await startShop()
    const { deps, store, verify, found } = await world(shop)
    expect(await anchorLedger({ workspace }, deps)).toBe(true)
    await appendLedger(store, workspace, [aDraft(2, { workspace })])
    const { seq, hash, at } = (await findAnchored(store, workspace))!
    expect(await verify()).toMatchObject({ ok: true, proven: { seq, hash, at } })
    expect(found().map(({ name }) => name)).toEqual([expect.stringMatching(/^\S+\/000000000001-\S+\.json$/)])
    expect(await oldestUnanchoredSeconds(deps)).toBe(0)
  })

  it('that cannot be kept fail nothing, wait, and are kept by a later tick', async () => {
    await using shop = await startShop()
    const { deps, fate, clock, warnings, found, store } = await world(shop)
    fate.down = true
    expect(await anchorLedger({ workspace }, deps)).toBe(false)
    expect(warnings).toMatchObject([{ kind: 'anchor_waits', workspace }])
    clock.forward(60_000)
    await anchorLedger({ workspace }, deps)
    expect(await oldestUnanchoredSeconds(deps)).toBe(60)
    fate.down = false
    expect(await keepAnchors(deps)).toBe(1)
    expect([found().length, await oldestUnanchoredSeconds(deps)]).toEqual([1, 0])
    expect(await findAnchored(store, workspace)).toMatchObject({ seq: 1 })
  })

  it('are made once a day for each workspace with a ledger, with the public key beside them', async () => {
    await using shop = await startShop()
    const { deps, clock, kept, found, current, store } = await world(shop)
    await putWorkspace({ bundle: current.bundle, actor }, deps)
    await noteUnanchored(store, 'without-ledger', clock.now().toISOString())
    const twice = async () => {
      // The first tick starts the round, and the second one works it off.
      for (const _ of [1, 2]) await keepAnchors(deps)
      return [found().length, await oldestUnanchoredSeconds(deps)]
    }
    expect(await twice()).toEqual([1, 0])
    clock.forward(dayMs - 1)
    expect(await twice()).toEqual([1, 0])
    clock.forward(1)
    expect(await twice()).toEqual([2, 0])
    expect(kept.get('public-key.pem')).toBe(pem)
  })

  it('are not begun after the end of a tick, and not made where the deployment keeps none', async () => {
    await using shop = await startShop()
    const { deps, clock, fate, kept } = await world(shop)
    fate.down = true
    await anchorLedger({ workspace }, deps)
    fate.down = false
    expect(await keepAnchors(deps, { until: clock.now() })).toBe(0)
    const { anchors: _, ...without } = deps
    expect([await keepAnchors(without), await anchorLedger({ workspace }, without), kept.size]).toEqual([0, false, 0])
  })

  it('are named in alerts, by the latest head', async () => {
    await using shop = await startShop()
    const { deps, alerts, store } = await world(shop)
    await anchorLedger({ workspace }, deps)
    await checkWorkspace({ workspace, trigger: 'cli', actor }, deps)
    expect(alerts[0]?.anchored).toEqual(await findAnchored(store, workspace))
    expect(alerts[0]?.anchored?.seq).toBe(1)
  })
})
