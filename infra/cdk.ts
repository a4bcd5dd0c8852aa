import { join } from 'node:path'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import { Plumbline as Detector } from './constructs/plumbline.ts'
import { type GivenSettings, settingsOfProps } from './settings.ts'

/** Beside this file in the published package. */
const bundle = join(import.meta.dirname, 'functions')

/**
 * What infra/cdk.d.mts declares: the detector with the functions of the published package. Throws a SettingsError for props
 * that are not valid.
 */
class PublishedPlumbline extends Detector {
  constructor(scope: Construct, id: string, props: Omit<GivenSettings, 'stage' | 'tags' | 'packages'>) {
    super(scope, id, { ...settingsOfProps(props), bundle })
  }

  get alertTopic(): ITopic {
    return this.topic
  }

  get operationsTopic(): ITopic {
    return this.operations.topic
  }

  get tableName(): string {
    return this.table.table.tableName
  }

  get peopleEndpoint(): string | undefined {
    return this.endpoint.peopleUrl
  }

  get machineEndpoint(): string | undefined {
    return this.endpoint.machinesUrl
  }
}

export { PublishedPlumbline as Plumbline }
