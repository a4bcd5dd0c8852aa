import { describe, expect, it } from 'vitest'
import { openFence } from '../../../../core/engine/workflows/apply/execution/open-fence.ts'
import { aCommand } from '../../../builders/values/commands.ts'

const command = aCommand('thing.a#1')
const leave = { command: command.id, timeoutMs: 1_000 }

/** A fence that lets a command pass, where its lease lasts. */
const admitting = (lasts = true) => {
  const attempts: number[] = []
  const fence = openFence({
    attempt: async (_, n) => {
      attempts.push(n)
      return { mayLeave: () => lasts, signal: new AbortController().signal, end: () => {} }
    },
  })
  fence.admit(command, 2, async () => {})
  return { fence, attempts, state: () => fence.stateOf(command) }
}

describe('what is known of a command at the fence', () => {
  it('has left and is unanswered, from the moment that it may leave until its answer', async () => {
    const { fence, state } = admitting()
    expect(state()).toBe('new')
    const passage = await fence.enter(leave)
    expect(state()).toBe('tried')
    expect(passage.mayLeave()).toBe(true)
    expect(state()).toBe('out')
    passage.end('answered')
    expect(state()).toBe('tried')
  })

  it('has left where no answer came', async () => {
    const { fence, state } = admitting()
    const passage = await fence.enter(leave)
    passage.mayLeave()
    passage.end()
    expect(state()).toBe('out')
  })

  it('has not left where its lease was over by then', async () => {
    const { fence, state } = admitting(false)
    const passage = await fence.enter(leave)
    expect(passage.mayLeave()).toBe(false)
    expect(state()).toBe('tried')
  })

  it('has not left where the object moved', async () => {
    const { fence, state } = admitting()
    fence.admit(command, 2, () => Promise.reject(new Error('it moved')))
    await expect(fence.enter(leave)).rejects.toThrow('it moved')
    expect(state()).toBe('tried')
  })

  it('each attempt has the next number, and a command that was not admitted has none', async () => {
    const { fence, attempts } = admitting()
    await fence.enter(leave)
    await fence.enter(leave)
    expect(attempts).toEqual([3, 4])
    await expect(fence.enter({ ...leave, command: 'thing.b#1' })).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})
