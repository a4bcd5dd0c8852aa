import { Stack } from 'aws-cdk-lib'
import {
  CfnAuthorizer,
  CfnStage,
  HttpApi,
  HttpMethod,
  HttpNoneAuthorizer,
  HttpStage,
  type IHttpRouteAuthorizer,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpIamAuthorizer, HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { FilterPattern, type ILogGroup, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { metricNamespace } from '../../functions/metric-names.ts'
import type { DomainSettings, Settings } from '../settings.ts'
import { period } from './alarms.ts'
import { Domain } from './domain.ts'
import type { LogProps } from './logs.ts'

export interface EndpointProps {
  readonly handler: IFunction
  /** Whose tokens are accepted, and the own name of this API. Absent: there is no API for people. */
  readonly people?:
    | { readonly issuer: string; readonly audience: readonly string[]; readonly domain: DomainSettings | undefined }
    | undefined
  /** Tells whether there is an endpoint for callers with IAM credentials. */
  readonly hasMachines: boolean
  readonly throttle: Settings['throttle']
  readonly logs: LogProps
}

const accessLog = JSON.stringify({
  at: '$context.requestTime',
  id: '$context.requestId',
  method: '$context.httpMethod',
  path: '$context.path',
  status: '$context.status',
  source: '$context.identity.sourceIp',
  subject: '$context.authorizer.claims.sub',
  caller: '$context.identity.userArn',
  error: '$context.authorizer.error',
})

/** For those who have no token yet. */
export const openPaths = ['/v1/health', '/v1/openapi.json', '/v1/sign-in'] as const

/** The web page and its files, for people alone. A browser asks for several files at once, and keeps them. */
export const pagePaths = ['/', '/assets/{name}'] as const
const openRate = { rate: 10, burst: 20 }
const pageRate = { rate: 25, burst: 60 }

/**
 * Two HTTP APIs with the same routes, because a route can have only one authorizer: `people` accepts tokens of an OIDC
 * issuer, `machines` accepts requests signed with IAM credentials. Each exists if the settings ask for it. Only health, the
 * API's description and the way to sign in are open; at `people` the web page, too; and there, or at `machines` where there
 * is no other, the webhooks, whose deliveries the function verifies.
 */
export class Endpoint extends Construct {
  readonly people: HttpApi | undefined
  /** By API: the calls that API Gateway refused because of their token or their number. */
  readonly refusals = new Map<string, Metric>()
  readonly machines: HttpApi | undefined
  /** The address of the API for people, and of the one for machines. */
  readonly peopleUrl: string | undefined
  readonly machinesUrl: string | undefined

  constructor(scope: Construct, id: string, props: EndpointProps) {
    super(scope, id)
    const { people, hasMachines } = props
    if (people !== undefined) {
      const { domain } = people
      const issuer = new HttpJwtAuthorizer('Issuer', people.issuer, { jwtAudience: [...people.audience] })
      const { api, stage } = this.createApi('People', props, issuer)
      this.people = api
      if (domain !== undefined) new Domain(this, 'Domain', { settings: domain, api, stage })
      this.peopleUrl = domain === undefined ? api.apiEndpoint : `https://${domain.name}`
    }
    this.machines = hasMachines ? this.createApi('Machines', props, new HttpIamAuthorizer()).api : undefined
    this.machinesUrl = this.machines?.apiEndpoint
  }

  /** What alerts name: the address for people, or for machines where there is none. */
  url(): string {
    return this.peopleUrl ?? this.machinesUrl ?? ''
  }

  /** By name. */
  apis(): Readonly<Record<string, HttpApi>> {
    return { ...(this.people && { People: this.people }), ...(this.machines && { Machines: this.machines }) }
  }

  /** What asks the issuer for its keys when it is created. */
  authorizers(): readonly Construct[] {
    return this.people?.node.findAll().filter((each) => each instanceof CfnAuthorizer) ?? []
  }

  /** API Gateway counts all answers with 4xx together, and those of people who mistype are most of them. */
  private countRefusals(name: string, log: ILogGroup): Metric {
    const metricName = `${name}Refusals`
    const filter = new MetricFilter(this, `${name}Refused`, {
      logGroup: log,
      filterPattern: FilterPattern.any(
        ...['401', '429'].map((status) => FilterPattern.stringValue('$.status', '=', status)),
      ),
      metricNamespace: `${metricNamespace}/${Stack.of(this).stackName}`,
      metricName,
    })
    return filter.metric({ statistic: 'Sum', period })
  }

  private createApi(name: string, props: EndpointProps, authorizer: IHttpRouteAuthorizer) {
    const api = new HttpApi(this, name, {
      createDefaultStage: false,
      description: `Plumbline for ${name.toLowerCase()}`,
      ...(name === 'People' && props.people?.domain?.defaultEndpoint === false && { disableExecuteApiEndpoint: true }),
    })
    const integration = new HttpLambdaIntegration(`${name}Handler`, props.handler)
    api.addRoutes({ path: '/v1/{proxy+}', methods: [HttpMethod.ANY], integration, authorizer })
    const webhooks = { method: HttpMethod.POST, path: '/v1/workspaces/{workspace}/webhook' }
    const isForPeople = name === 'People'
    const get = (most: typeof openRate) => (path: string) => ({ method: HttpMethod.GET, path, most })
    const open = [
      ...openPaths.map(get(openRate)),
      ...(isForPeople ? pagePaths.map(get(pageRate)) : []),
      ...(isForPeople || props.people === undefined ? [{ ...webhooks, most: openRate }] : []),
    ].map(({ method, path, most }) => {
      const authorizer = new HttpNoneAuthorizer()
      return { method, path, most, routes: api.addRoutes({ path, methods: [method], integration, authorizer }) }
    })
    const log = new LogGroup(this, `${name}Log`, props.logs)
    this.refusals.set(name, this.countRefusals(name, log))
    const { rate, burst } = props.throttle
    const stage = new HttpStage(this, `${name}Stage`, {
      httpApi: api,
      autoDeploy: true,
      throttle: { rateLimit: rate, burstLimit: burst },
    })
    const resource = stage.node.defaultChild
    if (resource instanceof CfnStage) {
      resource.accessLogSettings = { destinationArn: log.logGroupArn, format: accessLog }
      // Whoever calls an open route too often must not keep others from approving.
      resource.routeSettings = Object.fromEntries(
        open.map(({ method, path, most }) => [
          `${method} ${path}`,
          { ThrottlingRateLimit: Math.min(rate, most.rate), ThrottlingBurstLimit: Math.min(burst, most.burst) },
        ]),
      )
      for (const { routes } of open) resource.node.addDependency(...routes)
    }
    return { api, stage }
  }
}
