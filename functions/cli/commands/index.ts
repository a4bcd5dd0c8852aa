import type { CommandDefinition } from './command.ts'

/**
 * A command as the main help shows it, and the place of its module: only the module of the typed command is loaded. A
 * first word alone represents all commands below it.
 */
export type Listed = readonly [
  form: string,
  summary: string,
  load: () => Promise<{ readonly commands: readonly CommandDefinition[] }>,
]

/** In the order of the help. */
export const listed: readonly Listed[] = [
  ['validate [options] [folder]', 'validate a configuration', () => import('./validate.ts')],
  ['check [options] [workspace...]', 'read the target and show the differences', () => import('./check/check.ts')],
  ['show [options] [run|file|workspace]', 'show what an earlier check found', () => import('./show.ts')],
  ['apply [options] [workspace|file...]', 'send the approved commands', () => import('./apply.ts')],
  ['undo [options] <apply>', 'plan and send the way back from an apply', () => import('./undo.ts')],
  ['graph [options] [workspace]', 'print what depends on what, for Mermaid or Graphviz', () => import('./graph.ts')],
  [
    'permissions [options] [folder]',
    'list what the credentials must be allowed to do',
    () => import('./permissions.ts'),
  ],
  ['accept [options] [address-and-paths...]', 'write live values into the configuration', () => import('./accept.ts')],
  ['import [options] [type...]', 'write the configuration of existing objects', () => import('./import.ts')],
  ['list [options] [folder]', 'list the workspaces in this folder and below it', () => import('./workspace/list.ts')],
  [
    'preview [options] [folder]',
    'deploy a branch beside its workspace; list and destroy previews',
    () => import('./workspace/preview.ts'),
  ],
  ['runs [options] [workspace]', 'list the checks of a workspace', () => import('./runs.ts')],
  ['episodes', 'list alert episodes; acknowledge and snooze them', () => import('./episodes.ts')],
  ['ledger', 'list, verify and export the ledger', () => import('./ledger/ledger.ts')],
  ['state', 'list, export and correct what is recorded', () => import('./state.ts')],
  ['workspace', 'store, list, pause and remove workspaces', () => import('./workspace/index.ts')],
  ['source', 'read configurations from a Git repository', () => import('./workspace/source.ts')],
  ['provider', 'write, check and try provider documents', () => import('./provider/index.ts')],
  ['login [options]', 'sign in at a deployment', () => import('./sign-in/login.ts')],
  ['logout', 'forget the tokens for a deployment', () => import('./sign-in/logout.ts')],
  ['whoami', 'show who you are for a deployment, and what you may do', () => import('./sign-in/whoami.ts')],
  ['render [options] [file]', 'show a plan or a state of OpenTofu or Terraform', () => import('./render.ts')],
  ['dev [options] [folder]', 'run everything on this machine', () => import('./dev.ts')],
]
