import type { Json } from '../../../../core/engine/schema/json.ts'
import { ok, repositoryOf, type Shelf } from '../../server/call.ts'
import { refuse } from '../../server/refusal.ts'

/** GitHub reads one language of the update as three: https://docs.github.com/en/rest/code-scanning/code-scanning */
const alsoShown: Readonly<Record<string, readonly string[]>> = {
  'javascript-typescript': ['javascript', 'javascript-typescript', 'typescript'],
}

export const codeScanning: Shelf = {
  'code-scanning/get-default-setup': (call) => ok(repositoryOf(call).codeScanning),
  /** A change starts a run, so it is 202; without a change nothing is started. */
  'code-scanning/update-default-setup': (call) => {
    const { world, body } = call
    const repository = repositoryOf(call)
    if (repository.actions.permissions['enabled'] === false)
      refuse(409, 'Code scanning default setup needs GitHub Actions, which are disabled for this repository.')
    const { languages, ...rest } = body
    const shown = languages as readonly string[] | undefined
    const before = JSON.stringify(repository.codeScanning)
    const next: Record<string, Json> = {
      ...repository.codeScanning,
      ...rest,
      ...(shown && { languages: shown.flatMap((each) => alsoShown[each] ?? [each]).sort() }),
    }
    if (JSON.stringify(next) === before) return ok({})
    const isOn = next['state'] === 'configured'
    repository.codeScanning = { ...next, updated_at: world.now(), ...(isOn ? { schedule: 'weekly' } : {}) }
    const run = world.newId()
    const url = `${world.url}/repos/${repository.owner}/${repository.name}/actions/runs/${run}`
    return isOn ? ok({ run_id: run, run_url: url }, 202) : ok({})
  },
}
