import { formatCounted } from '#contract/format/numbers.ts'
import { personalData } from '#contract/personal-data.ts'
import type { User } from '#contract/users.ts'
import { call } from '../../api.ts'
import { UserQuestion } from './UserQuestion.tsx'

const describePlain = (count: number) =>
  count === 0 ? '' : ` ${formatCounted(count, 'older entry', 'older entries')} of the editing log still name the user.`

export function EraseQuestion({ user, onErased, onClose }: { user: User; onErased: () => void; onClose: () => void }) {
  return (
    <UserQuestion
      title="Erase User Data"
      action="Erase"
      isDangerous
      change={() => call(personalData.eraseUser, { user_id: user.user_id })}
      describe={({ message, plainEntries }) => message + describePlain(plainEntries)}
      onDone={onErased}
      onClose={onClose}
    >
      Are you sure you want to erase {user.email}? The user is deleted together with all messages, tickets and settings,
      and the editing log no longer shows who they were. This cannot be undone.
    </UserQuestion>
  )
}
