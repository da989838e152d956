import { ApiError } from '#contract/errors.ts'
import { type User, users } from '#contract/users.ts'
import { call } from '../../api.ts'
import { UserQuestion } from './UserQuestion.tsx'

const failed = 'Failed to delete user. Please try again.'

/** A 409 states the violated rule; retrying would not help. */
const describeFailure = (error: unknown) => (error instanceof ApiError && error.status === 409 ? error.message : failed)

export function DeleteQuestion({ user, onClose }: { user: User; onClose: () => void }) {
  return (
    <UserQuestion
      title="Delete User"
      action="Delete"
      isDangerous
      change={() => call(users.remove, { user_id: user.user_id })}
      describe={() => 'User deleted successfully'}
      describeFailure={describeFailure}
      onClose={onClose}
    >
      Are you sure you want to delete {user.email}?
    </UserQuestion>
  )
}
