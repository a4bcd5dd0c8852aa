import type { VersionNames } from '../../../engine/schema/stored/versions.ts'
import { present } from '../../../engine/values/defined.ts'
import { visible } from '../characters/visible.ts'

/** A commit as people write it; the JSON has the whole one. */
export const shortCommit = (commit: string): string => visible(commit.slice(0, 12))

/** `version 12, commit 0123456789ab`: the configuration that a run, an apply or an alert is about. */
export const versionWords = ({ configurationVersion, commit }: VersionNames): string =>
  present(
    configurationVersion !== undefined && `version ${configurationVersion}`,
    commit !== undefined && `commit ${shortCommit(commit)}`,
  ).join(', ')
