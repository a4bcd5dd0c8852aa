import type { Step } from './step.ts'

/** Sealed by the test for the key that was read before. */
const encrypted_value = '{sealed}'

const readAndWrite = (base: string, body: Step['body'], key: string): readonly Step[] => [
  { ask: `GET ${base}/public-key`, keep: key },
  { ask: `PUT ${base}/token`, body: { encrypted_value, key_id: `{${key}}`, ...(body as object) }, status: 201 },
  { ask: `PUT ${base}/TOKEN`, body: { encrypted_value, key_id: `{${key}}`, ...(body as object) }, status: 204 },
  { ask: `GET ${base}`, shows: { total_count: 1, secrets: [{ name: 'TOKEN' }] } },
  { ask: `GET ${base}/token`, shows: { name: 'TOKEN' } },
]

const ofOrganization = (kind: string): readonly Step[] => {
  const base = `/orgs/acme/${kind}/secrets`
  const selected = { visibility: 'selected', selected_repository_ids: ['{web}'] }
  return [
    ...readAndWrite(base, selected, `key-${kind}`),
    { ask: `GET ${base}/TOKEN/repositories`, shows: { total_count: 1 } },
    { ask: `DELETE ${base}/TOKEN/repositories/{web}`, status: 204 },
    { ask: `PUT ${base}/TOKEN/repositories/{web}`, status: 204 },
    { ask: `PUT ${base}/TOKEN/repositories`, body: { selected_repository_ids: ['{web}'] }, status: 204 },
    ...(kind === 'actions'
      ? [{ ask: 'GET /repos/acme/web/actions/organization-secrets', shows: { secrets: [{ name: 'TOKEN' }] } }]
      : []),
    { ask: `DELETE ${base}/TOKEN`, status: 204 },
  ]
}

const ofPlace = (base: string, key: string): readonly Step[] => [
  ...readAndWrite(base, {}, key),
  { ask: `DELETE ${base}/TOKEN`, status: 204 },
]

const variables = (base: string, more: object = {}): readonly Step[] => [
  { ask: `POST ${base}`, body: { name: 'region', value: 'eu', ...more }, status: 201 },
  { ask: `POST ${base}`, body: { name: 'REGION', value: 'eu', ...more }, status: 409 },
  { ask: `GET ${base}`, shows: { total_count: 1, variables: [{ name: 'REGION', value: 'eu' }] } },
  { ask: `PATCH ${base}/region`, body: { name: 'zone', value: 'us' }, status: 204 },
  { ask: `GET ${base}/ZONE`, shows: { name: 'ZONE', value: 'us' } },
]

const kinds = ['actions', 'dependabot', 'codespaces']
const inOrganization = '/orgs/acme/actions/variables'
const inEnvironment = '/repos/acme/web/environments/prod'

export const secretSteps: readonly Step[] = [
  ...kinds.flatMap(ofOrganization),
  ...kinds.flatMap((kind) => ofPlace(`/repos/acme/web/${kind}/secrets`, `key-repo-${kind}`)),
  ...ofPlace(`${inEnvironment}/secrets`, 'key-environment'),
  ...variables(inOrganization, { visibility: 'selected', selected_repository_ids: ['{web}'] }),
  { ask: `GET ${inOrganization}/ZONE/repositories`, shows: { total_count: 1 } },
  { ask: `DELETE ${inOrganization}/ZONE/repositories/{web}`, status: 204 },
  { ask: `PUT ${inOrganization}/ZONE/repositories/{web}`, status: 204 },
  { ask: `PUT ${inOrganization}/ZONE/repositories`, body: { selected_repository_ids: ['{web}'] }, status: 204 },
  { ask: 'GET /repos/acme/web/actions/organization-variables', shows: { variables: [{ name: 'ZONE' }] } },
  { ask: `DELETE ${inOrganization}/ZONE`, status: 204 },
  ...variables('/repos/acme/web/actions/variables'),
  { ask: 'DELETE /repos/acme/web/actions/variables/ZONE', status: 204 },
  ...variables(`${inEnvironment}/variables`),
  { ask: `DELETE ${inEnvironment}/variables/ZONE`, status: 204 },
  { ask: `DELETE ${inEnvironment}`, status: 204 },
]
