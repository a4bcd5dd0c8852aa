import { expect, it } from 'vitest'
import { eachOf } from '../../builders/long.ts'
import { driveGitHub } from './drive.ts'

/* A write that is refused says which permission it needs, as a read does. */

const label = (color: string) => ({
  type: 'github_label',
  name: 'bug',
  spec: { repository: 'web', name: 'idea', color },
})

const refuse = (status: number, headers: Readonly<Record<string, string>> = {}) => ({
  kind: 'status' as const,
  status,
  headers,
  body: '{"message":"Resource not accessible by personal access token"}',
  when: ({ method }: { method: string }) => method !== 'GET',
})

const told = 'Resource not accessible by personal access token'

eachOf(
  it,
  1,
)([
  ['403, stated by the document', refuse(403), `${told} (it needs issues=write)`],
  [
    '403, named by the answer',
    refuse(403, { 'x-accepted-github-permissions': 'issues=write; pull_requests=write' }),
    `${told} (it needs issues=write; pull_requests=write)`,
  ],
  ['404, which may be a missing permission', refuse(404), `${told} (the same without the permission issues=write)`],
  [
    'a hostile header, which is no name: the permission that the document states',
    refuse(403, { 'x-accepted-github-permissions': `<b>${'x'.repeat(900)}` }),
    `${told} (it needs issues=write)`,
  ],
  ['422, which is about something else', refuse(422), told],
])(
  'a refused write is told with the permission that it needs, where that can be the reason: %s',
  async (_, fault, detail) => {
    await using drive = await driveGitHub([label('d73a4a')])
    drive.github.as('octo-owner').request('POST', '/orgs/acme/repos', { name: 'web' })
    const { digest } = await drive.check()
    drive.github.faults.add(fault)
    const { outcomes } = await drive.apply(digest)
    expect(outcomes).toMatchObject([{ status: 'failed', httpStatus: fault.status, detail }])
  },
)

it('the refusal of a write does not repeat a sent value, also where the header repeats it', async () => {
  const secret = 'correct-horse-battery'
  const spec = {
    url: 'https://ci.acme.example/hook',
    events: ['push'],
    content_type: 'json',
    secret: { secret: 'env:S' },
  }
  await using drive = await driveGitHub([{ type: 'github_organization_webhook', name: 'ci', spec }], {
    signIn: (github) => ({
      with: { token: { secret: 'env:TOKEN' } },
      secrets: { 'env:TOKEN': github.token(), 'env:S': secret },
    }),
  })
  const { digest } = await drive.check()
  drive.github.faults.add(refuse(403, { 'x-accepted-github-permissions': secret }))
  const { outcomes } = await drive.apply(digest)
  expect(outcomes).toMatchObject([{ status: 'failed', httpStatus: 403 }])
  expect(JSON.stringify(outcomes)).not.toContain(secret)
})
