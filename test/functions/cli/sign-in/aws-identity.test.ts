import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findAwsIdentity } from '../../../../functions/adapters/aws/aws-identity.ts'
import { eachOf, long } from '../../../builders/long.ts'
import { type Heard, startServer } from '../../../builders/servers/loopback.ts'
import { startMachinesDoor } from '../../../builders/servers/machines-door.ts'
import { spawnCommand } from '../../../builders/workspaces/command.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plumbline-aws-'))
})
afterEach(() => rm(home, { recursive: true }))

const write = async (name: string, text: string, mode = 0o600): Promise<void> => {
  await mkdir(dirname(join(home, name)), { recursive: true })
  await writeFile(join(home, name), text, { mode })
}

const key = {
  id: 'ASIAPLANTEDKEYIDWXYZ',
  secret: 'planted/secret+of=the-key',
  sessionToken: 'planted+session/token==',
  region: 'eu-central-1',
}
const until = new Date(Date.now() + 3_600_000).toISOString()

const stsAnswer = (
  action: string,
): string => `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>
<Credentials><AccessKeyId>${key.id}</AccessKeyId><SecretAccessKey>${key.secret}</SecretAccessKey>
<SessionToken>${key.sessionToken}</SessionToken><Expiration>${until}</Expiration></Credentials>
</${action}Result></${action}Response>`

const onMachine = {
  Code: 'Success',
  Type: 'AWS-HMAC',
  AccessKeyId: key.id,
  SecretAccessKey: key.secret,
  Token: key.sessionToken,
  Expiration: until,
}

/** What AWS answers to those who ask it for credentials: STS, SSO, the container and the instance. */
const answerAws = ({ method, url, headers, body }: Heard, response: ServerResponse): unknown => {
  const action = new URLSearchParams(body).get('Action')
  if (action !== null) return response.writeHead(200, { 'content-type': 'text/xml' }).end(stsAnswer(action))
  if (url.startsWith('/federation/credentials') && headers['x-amz-sso_bearer_token'] === 'planted-sso') {
    const { id: accessKeyId, secret: secretAccessKey, sessionToken } = key
    const roleCredentials = { accessKeyId, secretAccessKey, sessionToken, expiration: Date.parse(until) }
    return response.end(JSON.stringify({ roleCredentials }))
  }
  if (url === '/container' && headers.authorization === 'planted-container')
    return response.end(JSON.stringify(onMachine))
  if (method === 'PUT' && url === '/latest/api/token') return response.end('planted-instance')
  if (headers['x-aws-ec2-metadata-token'] !== 'planted-instance') return response.writeHead(401).end()
  if (url.endsWith('/security-credentials/')) return response.end('acme-role')
  if (url.endsWith('/security-credentials/acme-role')) return response.end(JSON.stringify(onMachine))
  return response.writeHead(404).end()
}

const keysOf = ({ id, secret, sessionToken }: typeof key): string =>
  `aws_access_key_id = ${id}\naws_secret_access_key = ${secret}\naws_session_token = ${sessionToken}\n`
const otherKeys = 'aws_access_key_id = AKIAPLANTEDOTHER\naws_secret_access_key = planted-other\n'
const noInstance = { AWS_EC2_METADATA_DISABLED: 'true' }

const run = (args: readonly string[], variables: Readonly<Record<string, string>>) =>
  spawnCommand(args, { folder: home, variables: { HOME: home, ...variables } })

interface Source {
  readonly name: string
  readonly files?: Readonly<Record<string, string>>
  readonly variables?: (aws: string) => Readonly<Record<string, string>>
}

const cacheOf = (session: string): string => `.aws/sso/cache/${createHash('sha1').update(session).digest('hex')}.json`

const sources: readonly Source[] = [
  { name: 'the default profile', files: { '.aws/credentials': `[default]\n${keysOf(key)}` } },
  {
    name: 'a named profile',
    files: { '.aws/credentials': `[default]\n${otherKeys}[acme]\n${keysOf(key)}` },
    variables: () => ({ AWS_PROFILE: 'acme' }),
  },
  {
    name: 'variables, before a profile in a variable',
    files: { '.aws/credentials': `[acme]\n${otherKeys}` },
    variables: () => ({
      AWS_PROFILE: 'acme',
      AWS_ACCESS_KEY_ID: key.id,
      AWS_SECRET_ACCESS_KEY: key.secret,
      AWS_SESSION_TOKEN: key.sessionToken,
    }),
  },
  {
    name: 'a program of the profile',
    files: {
      '.aws/config': '[profile acme]\ncredential_process = sh -c "cat $HOME/answer.json"\n',
      'answer.json': JSON.stringify({ ...onMachine, SessionToken: key.sessionToken, Version: 1 }),
    },
    variables: () => ({ AWS_PROFILE: 'acme' }),
  },
  {
    name: 'a role of the profile',
    files: {
      '.aws/config': '[profile acme]\nrole_arn = arn:aws:iam::123456789012:role/ci\nsource_profile = base\n',
      '.aws/credentials': `[base]\n${otherKeys}`,
    },
    variables: (aws) => ({ AWS_PROFILE: 'acme', AWS_ENDPOINT_URL_STS: aws }),
  },
  {
    name: 'a sign-in by SSO',
    files: {
      '.aws/config':
        '[profile acme]\nsso_session = acme\nsso_account_id = 123456789012\nsso_role_name = ci\n[sso-session acme]\nsso_region = eu-west-1\nsso_start_url = https://acme.awsapps.com/start\n',
      [cacheOf('acme')]: JSON.stringify({ accessToken: 'planted-sso', expiresAt: until }),
    },
    variables: (aws) => ({ AWS_PROFILE: 'acme', AWS_ENDPOINT_URL_SSO: aws }),
  },
  {
    name: 'a web identity, as of GitHub Actions',
    files: { token: 'planted-web-identity' },
    variables: (aws) => ({
      AWS_WEB_IDENTITY_TOKEN_FILE: join(home, 'token'),
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/ci',
      AWS_ENDPOINT_URL_STS: aws,
    }),
  },
  {
    name: 'a container',
    variables: (aws) => ({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${aws}/container`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'planted-container',
    }),
  },
  {
    name: 'an instance',
    variables: (aws) => ({ AWS_EC2_METADATA_SERVICE_ENDPOINT: aws, AWS_EC2_METADATA_DISABLED: '' }),
  },
]

describe('the credentials of --sign aws', () => {
  eachOf(it, 1)(sources)('are those of $name', async ({ files = {}, variables = () => ({}) }) => {
    for (const [name, text] of Object.entries(files)) await write(name, text)
    await using aws = await startServer(answerAws)
    await using door = await startMachinesDoor(key, (_, response) => response.end('{"subject":"ci","rights":[]}'))
    const { code, stdout, stderr } = await run(['whoami', '--endpoint', door.url, '--sign', 'aws'], {
      AWS_REGION: key.region,
      ...noInstance,
      ...variables(aws.url),
    })
    expect([code, stderr, door.refused]).toEqual([0, '', []])
    expect(stdout).toContain('ci at')
  })

  eachOf(
    it,
    1,
  )<[string, Readonly<Record<string, string>>, string, RegExp]>([
    ['nothing', {}, '', /no AWS credentials are found.*the default profile/s],
    [
      'a profile that does not exist',
      { AWS_PROFILE: 'acmee' },
      '',
      /no AWS credentials are found.*the profile "acmee"/s,
    ],
    [
      'a program that fails and shows a secret',
      {},
      '[default]\ncredential_process = sh -c "echo planted-canary >&2; exit 1"\n',
      /no AWS credentials are found/,
    ],
    [
      'half a pair',
      { AWS_ACCESS_KEY_ID: 'AKIAPLANTED' },
      '',
      /AWS_ACCESS_KEY_ID is set, and AWS_SECRET_ACCESS_KEY is not/,
    ],
    ['no region', { AWS_REGION: '' }, '', /no region is known: it is not in the host name "127\.0\.0\.1"/],
  ])('are missing with %s, which is said without a secret', async (_, variables, config, says) => {
    await write('.aws/config', config)
    const { code, stdout, stderr } = await run(['whoami', '--endpoint', 'http://127.0.0.1:9', '--sign', 'aws'], {
      AWS_REGION: key.region,
      ...noInstance,
      ...variables,
    })
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(says)])
    expect(stderr).toContain('(IDENTITY_MISSING)')
    expect(stderr).not.toMatch(/planted/i)
  })
})

describe('the region of a signature', () => {
  const pair = { AWS_ACCESS_KEY_ID: 'AKIAPLANTED', AWS_SECRET_ACCESS_KEY: 'planted' }
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a1b2.execute-api.eu-central-1.amazonaws.com', { AWS_REGION: 'us-east-1' }, 'eu-central-1'],
    ['a1b2-vpce-1.execute-api.us-gov-west-1.amazonaws.com', {}, 'us-gov-west-1'],
    ['a1b2.execute-api.cn-north-1.amazonaws.com.cn', {}, 'cn-north-1'],
    ['plumbline.acme.example', { AWS_REGION: 'us-east-1', AWS_DEFAULT_REGION: 'us-east-2' }, 'us-east-1'],
    ['plumbline.acme.example', { AWS_DEFAULT_REGION: 'us-east-2' }, 'us-east-2'],
    ['a1b2.execute-api.eu-central-1.amazonaws.com.acme.example', { AWS_REGION: 'us-east-1' }, 'us-east-1'],
  ])('of %s with %j is %s', async (host, variables, region) => {
    expect((await findAwsIdentity(host, { ...pair, ...variables })).region).toBe(region)
  })

  it('is that of the profile, where nothing else names one', long, async () => {
    await write('.aws/config', `[profile acme]\nregion = ${key.region}\n`)
    await write('.aws/credentials', `[acme]\n${keysOf(key)}`)
    await using door = await startMachinesDoor(key, (_, response) => response.end('{"subject":"ci","rights":[]}'))
    const variables = { AWS_PROFILE: 'acme', ...noInstance }
    const { code } = await run(['whoami', '--endpoint', door.url, '--sign', 'aws'], variables)
    expect([code, door.refused]).toEqual([0, []])
  })
})
