import type { Json, JsonObject } from '../../../../core/engine/schema/json.ts'
import { type Call, done, ok, repositoryOf, type Shelf } from '../../server/call.ts'
import { notFound, refuse } from '../../server/refusal.ts'
import { addEnvironment } from '../../state/environment.ts'
import type { Repository } from '../../state/parts.ts'
import { shaped } from '../../views/shaped.ts'

const sourceFrom = (source: Json): JsonObject => {
  if (typeof source !== 'string') return { path: '/', ...(source as JsonObject) }
  const [branch = '', path = ''] = source.split(' ')
  return { branch, path: path === '' ? '/' : path }
}

const checkSource = ({ branches }: Repository, source: JsonObject | undefined): void => {
  if (source !== undefined && !branches.has(String(source['branch'])))
    refuse(422, `The ${String(source['branch'])} branch must exist before GitHub Pages can be built.`)
}

const view = ({ world }: Call, { owner, name, pages }: Repository): JsonObject =>
  shaped('page', {
    url: `${world.url}/repos/${owner}/${name}/pages`,
    html_url: `https://${owner.toLowerCase()}.github.io/${name.toLowerCase() === `${owner}.github.io`.toLowerCase() ? '' : `${name}/`}`,
    ...pages,
  })

const create = (call: Call) => {
  const repository = repositoryOf(call)
  if (repository.pages !== undefined) refuse(409, 'GitHub Pages is already enabled.')
  const { build_type = 'legacy', source } = call.body
  const from = source === undefined ? undefined : sourceFrom(source)
  checkSource(repository, from)
  repository.pages = {
    status: null,
    cname: null,
    custom_404: false,
    public: true,
    https_enforced: true,
    build_type,
    source: from ?? { branch: String(repository.settings['default_branch']), path: '/' },
  }
  // A site is deployed through an environment of its own, which GitHub makes.
  addEnvironment(call.world, repository, 'github-pages')
  return ok(view(call, repository), 201)
}

export const pages: Shelf = {
  'repos/get-pages': (call) => {
    const repository = repositoryOf(call)
    return repository.pages === undefined ? notFound() : ok(view(call, repository))
  },
  'repos/create-pages-site': create,
  'repos/update-information-about-pages-site': (call) => {
    const repository = repositoryOf(call)
    if (repository.pages === undefined) notFound()
    const { source, ...rest } = call.body
    const from = source === undefined ? undefined : sourceFrom(source)
    checkSource(repository, from)
    repository.pages = { ...repository.pages, ...rest, ...(from === undefined ? {} : { source: from }) }
    return done
  },
  'repos/delete-pages-site': (call) => {
    const repository = repositoryOf(call)
    if (repository.pages === undefined) notFound()
    repository.pages = undefined
    return done
  },
}
