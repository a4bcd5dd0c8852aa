import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib'
import {
  AccountRecovery,
  CfnUserPoolClient,
  CfnUserPoolGroup,
  type IUserPool,
  Mfa,
  OAuthScope,
  ResourceServerScope,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
} from 'aws-cdk-lib/aws-cognito'
import { Construct } from 'constructs'
import { scopes } from '../../functions/rights.ts'
import type { DeploymentSettings, Settings } from '../settings.ts'

/** How people prove who they are, and what follows from it. */
export interface People {
  readonly issuer: string
  readonly audience: readonly string[]
  readonly scopePrefix: string
  readonly groupsClaim?: string
  /** Rights by group. */
  readonly groups?: Readonly<Record<string, string>>
  readonly signIn?: {
    readonly clientId: string
    readonly scope: string
    /** Where the web page asks for tokens, if that is not the origin of the issuer. */
    readonly origins?: readonly string[]
  }
}

/** What `plumbline login` listens at. */
const redirect = 'http://localhost:8976/callback'
const server = 'plumbline'

const usualGroups = {
  'plumbline-readers': 'read',
  'plumbline-operators': 'read check apply',
  'plumbline-owners': 'read check apply irreversible configure',
}

const means = {
  read: 'look at workspaces, plans and the ledger',
  check: 'start checks',
  apply: 'approve commands that can be undone',
  irreversible: 'approve commands that cannot be undone',
  configure: 'change configurations and records',
} as const

export const peopleOf = ({
  issuer = '',
  audience = [],
  scopePrefix = '',
  signIn,
  ...groups
}: DeploymentSettings): People => {
  const asked = ['openid', 'offline_access', ...scopes.map((scope) => `${scopePrefix}${scope}`)].join(' ')
  return {
    ...{ issuer, audience, scopePrefix },
    ...(groups.groups && { groups: groups.groups, groupsClaim: groups.groupsClaim ?? 'groups' }),
    ...(signIn && { signIn: { ...signIn, scope: signIn.scope ?? asked } }),
  }
}

/**
 * A pool of users, into which an administrator puts people. Each of its users can ask for each scope, so the rights are
 * those of the groups. It remains when its stack is deleted, because the ledger names its users.
 */
export class Identity extends Construct {
  readonly pool: IUserPool
  readonly people: People
  private readonly client: unknown

  constructor(scope: Construct, id: string, { groups = usualGroups }: Pick<Settings, 'groups'>) {
    super(scope, id)
    const pool = new UserPool(this, 'Pool', {
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      mfa: Mfa.REQUIRED,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy: {
        minLength: 12,
        requireDigits: true,
        requireLowercase: true,
        requireUppercase: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    })
    this.pool = pool
    const { account, region, urlSuffix } = Stack.of(this)
    // A prefix belongs to one pool of all accounts in the region.
    const domain = pool.addDomain('Domain', {
      cognitoDomain: { domainPrefix: `plumbline-${account}-${this.node.addr.slice(2, 10)}` },
    })
    for (const groupName of Object.keys(groups))
      new CfnUserPoolGroup(this, `Group${groupName}`, { userPoolId: pool.userPoolId, groupName })
    const client = this.addClient(pool)
    const { userPoolClientId: clientId } = client
    this.client = client.node.defaultChild
    this.people = {
      issuer: `https://cognito-idp.${region}.${urlSuffix}/${pool.userPoolId}`,
      audience: [clientId],
      scopePrefix: `${server}/`,
      groupsClaim: 'cognito:groups',
      groups,
      // Cognito gives a token that renews without `offline_access`, and refuses a scope that it does not know.
      signIn: {
        clientId,
        scope: ['openid', ...scopes.map((name) => `${server}/${name}`)].join(' '),
        origins: [domain.baseUrl()],
      },
    }
  }

  /** Lets people come back to the web page of an endpoint, once its address is known. */
  returnTo(endpoint: string): void {
    if (this.client instanceof CfnUserPoolClient) this.client.callbackUrLs = [redirect, `${endpoint}/`]
  }

  private addClient(pool: UserPool): UserPoolClient {
    const own = scopes.map((name) => new ResourceServerScope({ scopeName: name, scopeDescription: means[name] }))
    const resource = pool.addResourceServer('Api', { identifier: server, scopes: own })
    return pool.addClient('Command', {
      generateSecret: false,
      preventUserExistenceErrors: true,
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      authFlows: {},
      accessTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.days(7),
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, ...own.map((each) => OAuthScope.resourceServer(resource, each))],
        callbackUrls: [redirect],
      },
    })
  }
}
