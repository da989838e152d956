/** An error with a way to fix it; shown as one message without a stack trace. */
export class Problem extends Error {}

/** A signal ended the run before it was done. */
export class Stopped extends Error {
  constructor(signal) {
    super(`Stopped by ${signal}.`)
    this.exitCode = signal === 'SIGINT' ? 130 : 143
  }
}

/** Runs a script's main function, which returns the exit code. */
export const runMain = async (main) => {
  try {
    process.exitCode = await main()
  } catch (error) {
    const known = error instanceof Problem || error instanceof Stopped
    console.error(`\n${known ? error.message : error.stack}`)
    process.exitCode = error.exitCode ?? 1
  }
  // Timers and handles of an abandoned task must not keep the process alive.
  process.exit()
}
