/* A token is in the memory of each tab, so that a sign-out has to be told to all of them. */

const name = 'plumbline.signed-out'

/** Tells the other tabs of this browser that their reader has signed out. */
export const tellOtherTabs = (): void => {
  const channel = new BroadcastChannel(name)
  channel.postMessage(null)
  channel.close()
}

/** Calls `ended` when the reader signs out in another tab. Returns what ends the watch. */
export const watchOtherTabs = (ended: () => void): (() => void) => {
  const channel = new BroadcastChannel(name)
  channel.onmessage = ended
  return () => channel.close()
}
