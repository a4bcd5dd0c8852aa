import { join } from 'node:path'
import { bundleHandlers, root } from './bundle.ts'
import { createApp } from './create-app.ts'
import { attachNag } from './nag.ts'
import { readPackages } from './packages.ts'
import { readSettings } from './settings.ts'
import { PlumblineStack, stackNameOf } from './stack.ts'

const app = createApp()
const bundle = join(root, 'dist', 'functions')
const settings = readSettings(app.node)
await bundleHandlers(bundle, readPackages(settings.packages, process.cwd()))
const stack = new PlumblineStack(app, stackNameOf(settings), { settings, bundle })
attachNag(app, stack, settings.secretNames)
