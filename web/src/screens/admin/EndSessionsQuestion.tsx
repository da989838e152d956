import { type User, users } from '#contract/users.ts'
import { call } from '../../api.ts'
import { UserQuestion } from './UserQuestion.tsx'

export function EndSessionsQuestion({ user, onClose }: { user: User; onClose: () => void }) {
  return (
    <UserQuestion
      title="End Sessions"
      action="End Sessions"
      change={() => call(users.endSessions, { user_id: user.user_id })}
      describe={({ message }) => message}
      onClose={onClose}
    >
      {user.email} will be signed out in every browser and can sign in again.
    </UserQuestion>
  )
}
