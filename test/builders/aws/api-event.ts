import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'

export interface EventParts {
  readonly headers?: Record<string, string>
  /** As it stands in the address, without `?`. */
  readonly query?: string
  readonly body?: string
  readonly isBase64Encoded?: boolean
  readonly authorizer?: unknown
  readonly stage?: string
}

/** What API Gateway hands to a function for an HTTP API, payload format 2.0. */
export const apiEvent = (method: string, path: string, parts: EventParts = {}): APIGatewayProxyEventV2 =>
  ({
    version: '2.0',
    routeKey: 'ANY /v1/{proxy+}',
    rawPath: path,
    rawQueryString: parts.query ?? '',
    headers: {
      host: 'abc123.execute-api.eu-central-1.amazonaws.com',
      'x-forwarded-proto': 'https',
      'user-agent': 'curl/8.5.0',
      ...parts.headers,
    },
    ...(parts.query === undefined
      ? {}
      : { queryStringParameters: Object.fromEntries(new URLSearchParams(parts.query)) }),
    requestContext: {
      accountId: '123456789012',
      apiId: 'abc123',
      ...(parts.authorizer === undefined ? {} : { authorizer: parts.authorizer }),
      domainName: 'abc123.execute-api.eu-central-1.amazonaws.com',
      domainPrefix: 'abc123',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'curl/8.5.0' },
      requestId: 'Vd2kQhJ1joEEPPA=',
      routeKey: 'ANY /v1/{proxy+}',
      stage: parts.stage ?? '$default',
      time: '21/Nov/2026:06:00:00 +0000',
      timeEpoch: 1795240800000,
    },
    ...(parts.body === undefined ? {} : { body: parts.body }),
    isBase64Encoded: parts.isBase64Encoded ?? false,
  }) as unknown as APIGatewayProxyEventV2

/** As the JWT authoriser leaves it. */
export const tokenOf = (scope: string, subject = 'ada@acme.example') => ({
  jwt: { claims: { sub: subject, iss: 'https://login.acme.example', aud: 'plumbline', scope }, scopes: null },
})

export const lambdaContext = (remainingMs = 29_000): Context => ({
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'plumbline-api',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:plumbline-api',
  memoryLimitInMB: '512',
  awsRequestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  logGroupName: '/aws/lambda/plumbline-api',
  logStreamName: '2026/11/21/[$LATEST]0',
  getRemainingTimeInMillis: () => remainingMs,
  done: () => {},
  fail: () => {},
  succeed: () => {},
})
