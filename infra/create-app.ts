import { App } from 'aws-cdk-lib'
import recommended from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }

/**
 * The App of a synthesis, with the behaviours that the CDK recommends to new projects; without them it keeps those of its
 * first version. They stand here, so that cdk.json contains only what an operator sets. `context`: what cdk.json contains,
 * where no command line gives it.
 */
export const createApp = (context: Readonly<Record<string, unknown>> = {}): App =>
  new App({
    context: {
      ...recommended,
      // Each statement of a policy is about one right, as the code and docs/operations.md have it; merged ones are about several.
      '@aws-cdk/aws-iam:minimizePolicies': false,
      ...context,
    },
  })
