/** A required status check: its name, and the app that must report it. */
export interface StatusCheck {
  readonly context: string
  /** The slug of an app, or its number; `undefined`: any. */
  readonly app?: string
}

/** What is before the first colon is an app, if it has no space: `lint: strict` is one name. */
const split = (text: string): readonly [app: string | undefined, context: string] => {
  const [, app, context] = /^([^:\s]+):(.*)$/s.exec(text) ?? []
  return app === undefined ? [undefined, text] : [app, context ?? '']
}

/** As rulesets spell it: a name alone means any app. */
export const rulesetCheck = (text: string): StatusCheck => {
  const [app, context] = split(text)
  return app === undefined || app === 'any' ? { context } : { context, app }
}

/** As branch protection spells it: a name alone means GitHub Actions. */
export const protectionCheck = (text: string): StatusCheck => {
  const [app, context] = split(text)
  if (app === 'any') return { context }
  return { context, app: app ?? 'github-actions' }
}
