import { type User, users } from '#contract/users.ts'
import { call } from '../../api.ts'
import { UserQuestion } from './UserQuestion.tsx'

export function ResetFactorsQuestion({ user, onClose }: { user: User; onClose: () => void }) {
  return (
    <UserQuestion
      title="Reset Second Factors"
      action="Reset"
      isDangerous
      change={() => call(users.resetFactors, { user_id: user.user_id })}
      describe={({ message }) => message}
      onClose={onClose}
    >
      {user.email} can then sign in with the password alone, is signed out everywhere and gets a mail. Make sure that it
      is really this person who asks for it.
    </UserQuestion>
  )
}
