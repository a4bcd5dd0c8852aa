import type { JsonObject } from '../../../../core/engine/schema/json.ts'
import { type Call, done, listed, ok, param, repositoryOf, type Shelf } from '../../server/call.ts'
import { invalid, notFound } from '../../server/refusal.ts'
import type { Label, Repository } from '../../state/parts.ts'
import { keyOf } from '../../state/world.ts'
import { nodeId } from '../../views/accounts.ts'
import { shaped } from '../../views/shaped.ts'

const view = ({ world }: Call, { owner, name: repository }: Repository, label: Label): JsonObject =>
  shaped('label', {
    id: label.id,
    node_id: nodeId('LA', label.id),
    url: `${world.url}/repos/${owner}/${repository}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    description: label.description,
    default: label.isDefault,
  })

const labelOf = (call: Call): Label => repositoryOf(call).labels.get(keyOf(param(call, 'name'))) ?? notFound()

const checkColor = (color: string | undefined): void => {
  if (color !== undefined && !/^[0-9a-f]{6}$/i.test(color)) invalid('Label', 'color', 'invalid')
}

const checkFree = ({ labels }: Repository, name: string, own?: Label): void => {
  const taken = labels.get(keyOf(name))
  if (taken !== undefined && taken !== own) invalid('Label', 'name', 'already_exists')
}

interface LabelBody {
  readonly name: string
  readonly new_name?: string
  readonly color?: string
  readonly description?: string | null
}

export const labels: Shelf = {
  'issues/list-labels-for-repo': (call) => {
    const repository = repositoryOf(call)
    const inOrder = [...repository.labels].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, label]) => label)
    return listed(inOrder, (label) => view(call, repository, label))
  },
  'issues/create-label': (call) => {
    const repository = repositoryOf(call)
    const { name, color = 'ededed', description = null } = call.body as unknown as LabelBody
    checkFree(repository, name)
    checkColor(color)
    const label: Label = { id: call.world.newId(), name, color: color.toLowerCase(), description, isDefault: false }
    repository.labels.set(keyOf(name), label)
    return ok(view(call, repository, label), 201)
  },
  'issues/get-label': (call) => ok(view(call, repositoryOf(call), labelOf(call))),
  'issues/update-label': (call) => {
    const repository = repositoryOf(call)
    const label = labelOf(call)
    const { new_name: name = label.name, color, description } = call.body as unknown as LabelBody
    checkFree(repository, name, label)
    checkColor(color)
    repository.labels.delete(keyOf(label.name))
    if (color !== undefined) label.color = color.toLowerCase()
    if (description !== undefined) label.description = description
    label.name = name
    repository.labels.set(keyOf(name), label)
    return ok(view(call, repository, label))
  },
  'issues/delete-label': (call) => {
    repositoryOf(call).labels.delete(keyOf(labelOf(call).name))
    return done
  },
}
