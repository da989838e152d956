/** Asks for the password. Resolves to whether it was confirmed. */
type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** Calls that are refused at the same time share one question. */
export function askForPassword(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = undefined
  })
  return asking
}

/** Sets who asks. Returns how to unset it. */
export function setPasswordQuestion(next: Ask) {
  ask = next
  return () => {
    if (ask === next) ask = undefined
  }
}
