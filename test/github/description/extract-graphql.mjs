/*
 * Cuts the types that the stand-in needs out of GitHub's public GraphQL schema, as the npm package @octokit/graphql-schema (MIT)
 * carries it.
 *
 *   mkdir /tmp/schema && cd /tmp/schema && npm init -y && npm install --ignore-scripts @octokit/graphql-schema@15.26.1
 *   node test/github/description/extract-graphql.mjs /tmp/schema/node_modules/@octokit/graphql-schema
 *
 * A type that is kept has all its fields, so that a query for a field that does not exist is told from one that nobody here answers.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2]
if (folder === undefined) {
  process.stderr.write('say where @octokit/graphql-schema is: node extract-graphql.mjs FOLDER\n')
  process.exit(1)
}
const read = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
const { version, license } = read('package.json')
const schema = read('schema.json')
const all = new Map((schema.__schema ?? schema.data.__schema).types.map((type) => [type.name, type]))

const roots = {
  Query: ['node', 'nodes', 'organization', 'rateLimit', 'repository', 'repositoryOwner', 'user', 'viewer'],
  Mutation: ['createBranchProtectionRule', 'deleteBranchProtectionRule', 'updateBranchProtectionRule'],
}
const objects = [
  'App BranchActorAllowanceActor BranchProtectionRule BranchProtectionRuleConnection BranchProtectionRuleEdge',
  'BypassForcePushAllowance BypassForcePushAllowanceConnection BypassForcePushAllowanceEdge',
  'BypassPullRequestAllowance BypassPullRequestAllowanceConnection BypassPullRequestAllowanceEdge',
  'CreateBranchProtectionRulePayload DeleteBranchProtectionRulePayload UpdateBranchProtectionRulePayload',
  'CreateBranchProtectionRuleInput DeleteBranchProtectionRuleInput UpdateBranchProtectionRuleInput RequiredStatusCheckInput',
  'Node Organization OrganizationMemberConnection OrganizationMemberEdge PageInfo PushAllowance PushAllowanceActor',
  'PushAllowanceConnection PushAllowanceEdge RateLimit Ref Repository RepositoryConnection RepositoryEdge RepositoryOwner',
  'RepositoryTopic RepositoryTopicConnection RepositoryTopicEdge RequiredStatusCheckDescription ReviewDismissalAllowance',
  'ReviewDismissalAllowanceActor ReviewDismissalAllowanceConnection ReviewDismissalAllowanceEdge Team TeamConnection TeamEdge',
  'TeamMemberConnection TeamMemberEdge TeamRepositoryConnection TeamRepositoryEdge Topic User',
  'OrganizationMemberRole RepositoryPermission RepositoryVisibility TeamMemberRole TeamPrivacy TeamNotificationSetting',
  'OrderDirection RepositoryOrder RepositoryOrderField RepositoryAffiliation RepositoryPrivacy TeamOrder TeamOrderField',
  'MergeCommitMessage MergeCommitTitle SquashMergeCommitMessage SquashMergeCommitTitle TeamRepositoryOrder',
  'RepositoryCollaboratorConnection RepositoryCollaboratorEdge PermissionSource PermissionGranter CollaboratorAffiliation',
  'DefaultRepositoryPermissionField',
  'TeamMembershipType Label LabelConnection LabelEdge LabelOrder LabelOrderField',
].flatMap((line) => line.split(' '))

const spelled = ({ kind, name, ofType }) => {
  if (kind === 'NON_NULL') return `${spelled(ofType)}!`
  return kind === 'LIST' ? `[${spelled(ofType)}]` : name
}
const named = (list, make) => Object.fromEntries(list.map((each) => [each.name, make(each)]))

const cut = (name) => {
  const type = all.get(name)
  if (type === undefined) throw new Error(`the schema has no type ${name}`)
  const kept = type.fields?.filter((field) => roots[name]?.includes(field.name) ?? true)
  return {
    ...(kept && {
      fields: named(kept, ({ type: own, args }) => [spelled(own), named(args, (arg) => spelled(arg.type))]),
    }),
    ...(type.inputFields && { inputs: named(type.inputFields, (field) => spelled(field.type)) }),
    ...(type.enumValues && { values: type.enumValues.map((value) => value.name) }),
    ...(type.possibleTypes && { members: type.possibleTypes.map((member) => member.name) }),
  }
}

const types = Object.fromEntries([...Object.keys(roots), ...objects].sort().map((name) => [name, cut(name)]))
const text = `${JSON.stringify({ info: { source: `@octokit/graphql-schema@${version}`, license }, types })}\n`
writeFileSync(new URL('graphql.json', import.meta.url), text)
process.stdout.write(`${Object.keys(types).length} types, ${text.length} bytes\n`)
