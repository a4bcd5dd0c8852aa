import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser of this machine; the packages of npm bring none. */
export const chromiumFile = (): string => {
  const found = places.find((place) => existsSync(place))
  if (found === undefined)
    throw new Error(`no Chromium: ${places.join(', ')} are not there; install it: apt-get install chromium`)
  return found
}

/** Starts Chromium without a window. */
export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: chromiumFile() })
