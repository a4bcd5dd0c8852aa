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
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'

export interface EndpointProps {
  readonly handler: IFunction
  readonly issuer: string
  readonly audience: readonly string[]
  /** Tells whether there is an endpoint for callers with IAM credentials. */
  readonly hasMachines: boolean
  readonly retention: RetentionDays
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
  readonly machines: HttpApi | undefined

  constructor(scope: Construct, id: string, props: EndpointProps) {
    super(scope, id)
    const issuer = new HttpJwtAuthorizer('Issuer', props.issuer, { jwtAudience: [...props.audience] })
    this.people = this.createApi('People', props, issuer)
    this.machines = props.hasMachines ? this.createApi('Machines', props, new HttpIamAuthorizer()) : undefined
  }

  /** What asks the issuer for its keys when it is created. */
  authorizers(): readonly Construct[] {
    return this.people.node.findAll().filter((each) => each instanceof CfnAuthorizer)
  }

  private createApi(name: string, props: EndpointProps, authorizer: IHttpRouteAuthorizer): HttpApi {
    const api = new HttpApi(this, name, {
      createDefaultStage: false,
      description: `Plumbline for ${name.toLowerCase()}`,
    })
    const integration = new HttpLambdaIntegration(`${name}Handler`, props.handler)
    api.addRoutes({ path: '/v1/{proxy+}', methods: [HttpMethod.ANY], integration, authorizer })
    for (const path of openPaths) {
      api.addRoutes({ path, methods: [HttpMethod.GET], integration, authorizer: new HttpNoneAuthorizer() })
    }
    if (name === 'People') {
      const path = '/v1/workspaces/{workspace}/webhook'
      api.addRoutes({ path, methods: [HttpMethod.POST], integration, authorizer: new HttpNoneAuthorizer() })
    }
    const log = new LogGroup(this, `${name}Log`, { retention: props.retention })
    const stage = new HttpStage(this, `${name}Stage`, {
      httpApi: api,
      autoDeploy: true,
      throttle: { rateLimit: 50, burstLimit: 100 },
    })
    const resource = stage.node.defaultChild
    if (resource instanceof CfnStage) {
      resource.accessLogSettings = { destinationArn: log.logGroupArn, format: accessLog }
    }
    return api
  }
}
