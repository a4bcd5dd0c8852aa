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

describe('the record of a sent command', () => {
  it('says that it was sent without an answer, from the moment that it may leave until its answer', async () => {
    const { fence, state } = admitting()
    expect(state()).toBe('new')
    const passage = await fence.enter(leave)
    expect(state()).toBe('tried')
    expect(passage.mayLeave()).toBe(true)
    expect(state()).toBe('out')
    passage.end('answered')
    expect(state()).toBe('tried')
  })

  it('says that it was sent where no answer came', async () => {
    const { fence, state } = admitting()
    const passage = await fence.enter(leave)
    passage.mayLeave()
    passage.end()
    expect(state()).toBe('out')
  })

  it('says that it was not sent where its lease had ended', async () => {
    const { fence, state } = admitting(false)
    const passage = await fence.enter(leave)
    expect(passage.mayLeave()).toBe(false)
    expect(state()).toBe('tried')
  })

  it('says that it was not sent where the object had changed', async () => {
    const { fence, state } = admitting()
    fence.admit(command, 2, () => Promise.reject(new Error('it moved')))
    await expect(fence.enter(leave)).rejects.toThrow('it moved')
    expect(state()).toBe('tried')
  })

  it('numbers the attempts, and gives no number to a command that was held back', async () => {
    const { fence, attempts } = admitting()
    await fence.enter(leave)
    await fence.enter(leave)
    expect(attempts).toEqual([3, 4])
    await expect(fence.enter({ ...leave, command: 'thing.b#1' })).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})
