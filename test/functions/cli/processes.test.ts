import { expect, test } from 'vitest'
import { spawnCommand, tearoom } from '../../builders/workspaces/command.ts'

/* Each kind of command once as the process that users start: the other tests of the command run it within their own process. */

const kinds: readonly (readonly [string, readonly string[], number, RegExp])[] = [
  ['what needs no workspace', ['--version'], 0, /^\d+\.\d+\.\d+\n$/],
  ['a check of the folder', ['check'], 0, /in sync/],
  ['an apply', ['apply', '--yes', '--reason', 'a test'], 0, /in sync/],
  ['what is stored', ['ledger', 'verify'], 0, /^intact: /],
  ['a tool for documents', ['provider', 'check', 'nowhere.yaml'], 1, /nowhere\.yaml/],
  ['a wrong call', ['no-such-command'], 1, /no-such-command/],
]

test('each kind of command ends with its exit code and prints its answer', async () => {
  const room = await tearoom()
  try {
    for (const [kind, args, code, says] of kinds) {
      const ended = await spawnCommand(args, { folder: room.folder })
      expect([kind, ended.code, ended.stdout + ended.stderr]).toEqual([kind, code, expect.stringMatching(says)])
    }
  } finally {
    await room.remove()
  }
})
