import { Stack, type StackProps } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import { Plumbline } from './constructs/plumbline.ts'
import type { Settings } from './settings.ts'

export interface PlumblineStackProps extends StackProps {
  readonly settings: Settings
  readonly bundle: string
}

export class PlumblineStack extends Stack {
  constructor(scope: Construct, id: string, props: PlumblineStackProps) {
    super(scope, id, props)
    new Plumbline(this, 'Plumbline', { ...props.settings, bundle: props.bundle })
  }
}
