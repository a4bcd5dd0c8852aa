/** Where test processes ask for what is built once for the whole run; not set in a process without a run, such as a bench. */
export const builtVariable = 'PLUMBLINE_TEST_BUILT'

/** What the run says of this build, as JSON; `undefined` without a run. */
export const askRun = async <Built>(build: 'command' | 'functions' | 'package'): Promise<Built | undefined> => {
  const address = process.env[builtVariable]
  if (address === undefined) return undefined
  const response = await fetch(`${address}/${build}`)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Built
}
