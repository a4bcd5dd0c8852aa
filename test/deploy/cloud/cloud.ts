import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { runProgram } from '../../targets/servers/run-server.ts'
import { type Endpoint, openEndpoint } from './endpoint.ts'
import type { Statement } from './policy.ts'
import { installMoto, startDynamodbLocal, startMoto } from './programs.ts'

/* An account of AWS on this machine: CloudFormation and the services by moto, the tables by DynamoDB Local. */

export interface DeployedFunction {
  readonly FunctionName: string
  readonly FunctionArn: string
  readonly Handler: string
  readonly Runtime: string
  /** Seconds. */
  readonly Timeout: number
  readonly MemorySize: number
  readonly Role: string
  readonly Environment: { readonly Variables: Readonly<Record<string, string>> }
}

interface DeployedQueue {
  readonly QueueUrl: string
  readonly QueueArn: string
  readonly VisibilityTimeout: string
  readonly KmsMasterKeyId?: string
  readonly RedrivePolicy?: string
  readonly FifoQueue?: string
}

/** As describe.py prints it. */
export interface Description {
  readonly stack?: { readonly status: string; readonly outputs: readonly { OutputKey: string; OutputValue: string }[] }
  readonly resources: readonly {
    readonly LogicalResourceId: string
    readonly PhysicalResourceId: string
    readonly ResourceType: string
  }[]
  readonly functions: readonly DeployedFunction[]
  readonly mappings: readonly {
    readonly EventSourceArn: string
    readonly FunctionArn: string
    readonly BatchSize: number
    readonly FunctionResponseTypes: readonly string[]
    readonly ScalingConfig: { readonly MaximumConcurrency: number }
  }[]
  readonly queues: readonly DeployedQueue[]
  readonly topics: readonly { readonly TopicArn: string; readonly KmsMasterKeyId?: string }[]
  readonly tables: readonly {
    readonly TableName: string
    readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' }[]
    readonly BillingModeSummary: { readonly BillingMode: string }
    readonly DeletionProtectionEnabled: boolean
  }[]
  /** Statements by the name of the role. */
  readonly roles: Readonly<Record<string, readonly Statement[]>>
  readonly logGroups: readonly { readonly logGroupName: string; readonly retentionInDays?: number }[]
}

export interface Cloud {
  readonly endpoint: Endpoint
  /** Runs the CDK with the stack's settings. Answers what it printed. */
  cdk(command: 'bootstrap' | 'deploy' | 'destroy', settings?: Readonly<Record<string, unknown>>): Promise<string>
  describe(): Promise<Description>
  /** The types of resources that the stack holds and that moto does not make. */
  onlyRecorded(): readonly string[]
  /** The template that the last command made. */
  template(): string
  close(): Promise<void>
}

const account = 'aws://123456789012/us-east-1'

/** What every program needs to take this machine for AWS. `user`: the access key. */
export const credentials = (endpoint: string, user: string) => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: user,
  AWS_SECRET_ACCESS_KEY: 'not-a-secret',
})

const cdkArguments = {
  bootstrap: ['bootstrap', account, '--app', ''],
  // Without a set of changes: moto's know no former parameters.
  deploy: ['deploy', '--require-approval', 'never', '--method', 'direct'],
  destroy: ['destroy', '--force'],
} as const

/** Tables exist twice: CloudFormation makes them in moto, and what is stored goes to the engine of Amazon. */
const makeTables = async (tables: Description['tables'], endpoint: string): Promise<void> => {
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'admin', secretAccessKey: 'admin' },
  })
  for (const { TableName, KeySchema } of tables) {
    const AttributeDefinitions = KeySchema.map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' as const }))
    const command = {
      TableName,
      KeySchema: [...KeySchema],
      AttributeDefinitions,
      BillingMode: 'PAY_PER_REQUEST' as const,
    }
    await client.send(new CreateTableCommand(command)).catch((error: unknown) => {
      if (!(error instanceof Error && error.name === 'ResourceInUseException')) throw error
    })
  }
  client.destroy()
}

export const openCloud = async (): Promise<Cloud> => {
  const interpreter = await installMoto()
  const endpoint = await openEndpoint()
  const [moto, dynamodb] = await Promise.all([startMoto(interpreter, endpoint.url), startDynamodbLocal()])
  endpoint.route({ moto: moto.url, dynamodb: dynamodb.url })
  const assembly = await mkdtemp(join(tmpdir(), 'plumbline-assembly-'))
  const describe = async (): Promise<Description> => {
    const script = join(import.meta.dirname, 'describe.py')
    return JSON.parse(await runProgram(interpreter, [script, moto.url, 'Plumbline'])) as Description
  }
  return {
    endpoint,
    describe,
    cdk: async (command, settings = {}) => {
      const given = command === 'bootstrap' ? [] : ['-c', `plumbline=${JSON.stringify(settings)}`, '-o', assembly]
      const printed = await runProgram(
        'sh',
        ['-c', 'cdk "$@" --no-notices 2>&1', 'cdk', ...cdkArguments[command], ...given],
        { ...credentials(endpoint.url, 'deployer'), CI: 'true', CDK_DISABLE_CLI_TELEMETRY: 'true' },
      )
      if (command === 'deploy') await makeTables((await describe()).tables, dynamodb.url)
      return printed
    },
    onlyRecorded: () =>
      [...readFileSync(join(moto.folder, 'server.log'), 'utf8').matchAll(/^only recorded: (\S+)$/gm)].map(
        ([, type = '']) => type,
      ),
    template: () => join(assembly, 'Plumbline.template.json'),
    close: async () => {
      await Promise.all([moto.stop(), dynamodb.stop()])
      await endpoint.close()
      await rm(assembly, { recursive: true })
    },
  }
}
