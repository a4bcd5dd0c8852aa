import type { Json } from '../../schema/json.ts'
import { mapMembers } from '../../values/members.ts'

/* Made from documents/ by `npm run generate`. */

const provider =
  '{"id":"github","description":"An organisation on GitHub.","with":{"organization":{"description":"Name of the organisation, as in its URL"},"token":{"description":"Personal access token, classic or fine-grained","secret":true,"optional":true},"app":{"description":"Instead of a token: the id of a GitHub App","optional":true},"installation":{"description":"The id of its installation in the organisation","optional":true},"privateKey":{"description":"The private key of the app, in PEM","secret":true,"optional":true},"baseUrl":{"description":"https://HOST/api/v3 for GitHub Enterprise Server, https://api.NAME.ghe.com for data residency","default":"https://api.github.com"}},"baseUrl":"{with.baseUrl}","auth":[{"bearer":{"secret":"{with.token}"}},{"login":{"url":"/app/installations/{with.installation}/access_tokens","headers":{"Authorization":"Bearer {jwt}"},"jwt":{"key":"{with.privateKey}","issuer":"{with.app}"},"success":[201],"token":"token","expires":"expires_at"}}],"headers":{"Accept":"application/vnd.github+json","X-GitHub-Api-Version":"2022-11-28"},"params":{"organization":"{with.organization}"},"pagination":{"style":"link","size":{"param":"per_page","value":100},"maxPages":200},"sight":{"read":{"method":"GET","path":"/orgs/{organization}"},"sees":[{"place":"default_repository_permission","exists":true}]},"errors":{"message":"message"},"timeoutMs":30000}'

const groups = {
  resources: {
    github_team:
      '{"description":"A team of the organisation.","operations":{"list":{"method":"GET","path":"/orgs/{organization}/teams"},"retrieve":{"method":"GET","path":"/orgs/{organization}/teams/{slug}"},"create":{"method":"POST","path":"/orgs/{organization}/teams","success":[201],"produces":{"id":"id","slug":"slug"}},"update":{"method":"PATCH","path":"/orgs/{organization}/teams/{slug}"},"delete":{"method":"DELETE","path":"/orgs/{organization}/teams/{slug}","success":[204],"grade":"irreversible"}},"identity":{"keys":["name"]},"lookup":{"list":{},"match":["name"]},"serverId":{"id":"id","slug":"slug"},"discover":{},"lifecycle":{"access":"grants"},"parts":[{"name":"main","read":"list","write":{"op":"update"},"attributes":{"name":{"required":true,"description":"Its slug, in URLs and mentions, is made from it."},"description":{"default":"","nullMeans":"empty"},"privacy":{"values":["secret","closed"],"description":"`closed`: every member of the organisation sees it; teams with a parent or children are."},"notification_setting":{"values":["notifications_enabled","notifications_disabled"]},"parent":{"description":"The team above it, by name.","path":"parent.id","send":"parent_team_id","ref":{"type":"github_team","emit":"id"}}}}]}',
  },
}

const read = (text: string): Json => JSON.parse(text) as Json

/** The whole provider document. */
export const document = (): Json => ({
  provider: read(provider),
  ...mapMembers(groups, (group) => mapMembers(group, read)),
})
