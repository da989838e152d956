/** Asks the user to confirm who they are. Resolves to whether they did. */
type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** Calls that are refused at the same time share one question. */
export function askForConfirmation(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}

/** Sets who asks. Returns how to unset it. */
export function setConfirmationQuestion(next: Ask) {
  ask = next
  return () => {
    if (ask === next) ask = undefined
  }
}
