import { useState } from 'react'

const chooseUsersHint = 'Please choose the users to notify, then press Notify Users again.'
const nobodyChosen = 'Please select at least one user.'

/** Notifying takes two clicks: the first starts the selection, the second opens the message dialog. */
export function useChoice() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const [alert, setAlert] = useState<string>()
  const [isWriting, setWriting] = useState(false)
  return {
    /** Undefined while no selection is in progress. */
    chosen,
    alert,
    isWriting,
    closeAlert: () => setAlert(undefined),
    stopWriting: () => setWriting(false),
    press: (recipientCount: number) => {
      if (!chosen) {
        setChosen(new Set())
        setAlert(chooseUsersHint)
      } else if (recipientCount === 0) setAlert(nobodyChosen)
      else setWriting(true)
    },
    choose: (emails: readonly string[], isChosen: boolean) =>
      setChosen((before = new Set()) => {
        const after = new Set(before)
        for (const email of emails) isChosen ? after.add(email) : after.delete(email)
        return after
      }),
    end: () => {
      setChosen(undefined)
      setWriting(false)
    },
  }
}
