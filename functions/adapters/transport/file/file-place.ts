import type { Folder } from './open-folder.ts'

/** Called right before a file changes; throws if the file must not be changed any more. */
export type Leave = () => void

export interface FilePlace {
  readonly folder: Folder
  readonly name: string
  readonly leave: Leave
}
