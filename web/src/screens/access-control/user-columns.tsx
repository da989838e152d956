import { Anchor } from '@mantine/core'
import { type PageColumn, textColumn } from '../../ui/data-table.ts'
import { createRowSearch } from '../../ui/row-search.ts'
import { sortRows } from '../../ui/table-rows.ts'
import type { MatrixUser } from './matrix.ts'

interface MatrixPage {
  /** Shows why a user has this access. */
  onAsk: (user: MatrixUser) => void
}

/** The columns before those of the feature items; they are not searched. */
export const userColumns: readonly PageColumn<MatrixUser, MatrixPage>[] = [
  {
    ...textColumn<MatrixUser>('full_name', 'Full Name', 180, (user) => user.full_name),
    cell: (user, { onAsk }) => (
      <Anchor component="button" type="button" onClick={() => onAsk(user)} aria-label={`Access of ${user.full_name}`}>
        {user.full_name}
      </Anchor>
    ),
  },
  textColumn('email', 'Email', 240, ({ email }) => email),
  textColumn('username', 'Username', 140, ({ username }) => username),
]

const search = createRowSearch(userColumns)

export const arrangeUsers = (users: readonly MatrixUser[], text: string) =>
  sortRows(search.find(users, text.trim()), (user) => user.full_name, false)
