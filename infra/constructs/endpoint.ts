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
import { period } from './alarms.ts'
import type { LogProps } from './logs.ts'

export interface EndpointProps {
  readonly handler: IFunction
  readonly issuer: string
  readonly audience: readonly string[]
  /** Tells whether there is an endpoint for callers with IAM credentials. */
  readonly hasMachines: boolean
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

/**
 * Two HTTP APIs with the same routes, because a route can have only one authorizer: `people` accepts tokens of an OIDC
 * issuer, `machines` accepts requests signed with IAM credentials, if the settings name callers. Only health, the
 * API's description and the way to sign in are open, and at `people` the webhooks, whose deliveries the function verifies.
 */
export class Endpoint extends Construct {
  readonly people: HttpApi
  /** By API: the calls that API Gateway refused because of their token or their number. */
  readonly refusals = new Map<string, Metric>()
  readonly machines: HttpApi | undefined

  constructor(scope: Construct, id: string, props: EndpointProps) {
    super(scope, id)
    const issuer = new HttpJwtAuthorizer('Issuer', props.issuer, { jwtAudience: [...props.audience] })
    this.people = this.createApi('People', props, issuer)
    this.machines = props.hasMachines ? this.createApi('Machines', props, new HttpIamAuthorizer()) : undefined
  }

  /** By name. */
  apis(): Readonly<Record<string, HttpApi>> {
    return { People: this.people, ...(this.machines && { Machines: this.machines }) }
  }

  /** What asks the issuer for its keys when it is created. */
  authorizers(): readonly Construct[] {
    return this.people.node.findAll().filter((each) => each instanceof CfnAuthorizer)
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

  private createApi(name: string, props: EndpointProps, authorizer: IHttpRouteAuthorizer): HttpApi {
    const api = new HttpApi(this, name, {
      createDefaultStage: false,
      description: `Plumbline for ${name.toLowerCase()}`,
    })
    const integration = new HttpLambdaIntegration(`${name}Handler`, props.handler)
    api.addRoutes({ path: '/v1/{proxy+}', methods: [HttpMethod.ANY], integration, authorizer })
    const webhooks = { method: HttpMethod.POST, path: '/v1/workspaces/{workspace}/webhook' }
    const open = [
      ...openPaths.map((path) => ({ method: HttpMethod.GET, path: String(path) })),
      ...(name === 'People' ? [webhooks] : []),
    ].map(({ method, path }) => {
      const authorizer = new HttpNoneAuthorizer()
      return { method, path, routes: api.addRoutes({ path, methods: [method], integration, authorizer }) }
    })
    const log = new LogGroup(this, `${name}Log`, props.logs)
    this.refusals.set(name, this.countRefusals(name, log))
    const stage = new HttpStage(this, `${name}Stage`, {
      httpApi: api,
      autoDeploy: true,
      throttle: { rateLimit: 50, burstLimit: 100 },
    })
    const resource = stage.node.defaultChild
    if (resource instanceof CfnStage) {
      resource.accessLogSettings = { destinationArn: log.logGroupArn, format: accessLog }
      // Whoever calls an open route too often must not keep others from approving.
      resource.routeSettings = Object.fromEntries(
        open.map(({ method, path }) => [`${method} ${path}`, { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 }]),
      )
      for (const { routes } of open) resource.node.addDependency(...routes)
    }
    return api
  }
}
