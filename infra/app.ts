import { join } from 'node:path'
import { bundleHandlers, root } from './bundle.ts'
import { createApp } from './create-app.ts'
import { attachNag } from './nag.ts'
import { readPackages } from './packages.ts'
import { readSettings, type Settings, SettingsError } from './settings.ts'
import { PlumblineStack, stackNameOf } from './stack.ts'

/** A wrong setting is a mistake of a person, who needs no frames of this program. */
const settingsOf = ({ node }: ReturnType<typeof createApp>): Settings => {
  try {
    return readSettings(node)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

const app = createApp()
const bundle = join(root, 'dist', 'functions')
const settings = settingsOf(app)
await bundleHandlers(bundle, readPackages(settings.packages, process.cwd()))
const stack = new PlumblineStack(app, stackNameOf(settings), { settings, bundle })
attachNag(app, stack, settings.secretNames)
