import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { bundleHandlers, root } from './bundle.ts'
import { attachNag } from './nag.ts'
import { readSettings } from './settings.ts'
import { PlumblineStack } from './stack.ts'

const app = new App()
const bundle = join(root, 'dist', 'functions')
await bundleHandlers(bundle)
const settings = readSettings(app.node)
const stack = new PlumblineStack(app, 'Plumbline', { settings, bundle })
attachNag(app, stack, settings.secretNames)
