const begin = performance.now()
const HEARTBEAT_MS = 5000

export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

export const say = (text) => console.log(`[${seconds(performance.now() - begin).padStart(7)}] ${text}`)

/** Prints what is being done, repeats it while it is running, and prints how long it took. */
export const during = async (text, work, state = () => '') => {
  const start = performance.now()
  say(`${text} …`)
  const heartbeat = setInterval(() => say(`${text} … ${state()}`.trimEnd()), HEARTBEAT_MS)
  try {
    const result = await work()
    say(`${text}: took ${seconds(performance.now() - start)}`)
    return result
  } finally {
    clearInterval(heartbeat)
  }
}
