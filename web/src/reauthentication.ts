/** Asks the user to reauthenticate. Resolves to whether they did. */
type Ask = () => Promise<boolean>

let ask: Ask | undefined
let pending: Promise<boolean> | undefined

/** Calls that are refused at the same time share one dialog. */
export function askForConfirmation(): Promise<boolean> {
  pending ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    pending = undefined
  })
  return pending
}

/** Sets the function that asks. Returns a function that unsets it. */
export function setConfirmationQuestion(next: Ask) {
  ask = next
  return () => {
    if (ask === next) ask = undefined
  }
}
