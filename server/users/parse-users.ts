import * as z from 'zod/mini'
import { invalid } from '#contract/errors.ts'
import { CreateUser } from '#contract/users.ts'
import { readCsv } from './read-csv.ts'

type Name = keyof CreateUser

const MAX_USERS = 1_000

/** The column names, as in the API and as on the pages. */
const headings: Record<string, Name> = {
  email: 'email',
  username: 'username',
  groupid: 'username',
  group: 'username',
  customername: 'customerName',
  name: 'customerName',
  company: 'company',
  role: 'role',
  initialpassword: 'initialPassword',
  password: 'initialPassword',
}

const required: Name[] = ['email', 'username', 'customerName', 'company', 'role']

export type ImportedUser = Omit<CreateUser, 'initialPassword'> & { initialPassword: string }

/** A line of the file: a user, or its error. */
export type ParsedLine = { line: number; email: string } & ({ user: ImportedUser } | { fault: string })

const parseHeader = (cells: string[]) => {
  const names = cells.map(
    (cell) =>
      headings[
        cell
          .trim()
          .toLowerCase()
          .replaceAll(/[\s_-]/g, '')
      ],
  )
  const unknown = cells.filter((cell, index) => names[index] === undefined && cell.trim() !== '')
  if (unknown.length > 0) throw invalid(`Line 1: there is no column '${unknown[0]?.trim().slice(0, 50)}'.`)
  const missing = required.filter((name) => !names.includes(name))
  if (missing.length > 0) throw invalid(`Line 1: the column '${missing[0]}' is missing.`)
  const twice = names.find((name, index) => name !== undefined && names.indexOf(name) !== index)
  if (twice) throw invalid(`Line 1: the column '${twice}' is there twice.`)
  return names
}

const UserLine = z.strictObject({
  ...CreateUser.shape,
  role: z.pipe(z.string().check(z.trim(), z.toLowerCase()), CreateUser.shape.role),
  // Required only for new users, whom only the database knows.
  initialPassword: z.union([z.literal(''), CreateUser.shape.initialPassword]),
})

const describeFault = ({ issues }: z.core.$ZodError) => {
  const [issue] = issues
  const union = issue?.code === 'invalid_union' ? issue.errors.at(-1)?.[0] : issue
  return `${issue?.path.join('.')}: ${union?.message}`
}

/** Parses the users of a file, line by line. Throws if the file as a whole is unreadable. */
export const parseUsers = (csv: string): ParsedLine[] => {
  const [header, ...rows] = readCsv(csv)
  if (!header) throw invalid('The file is empty.')
  const names = parseHeader(header.cells)
  if (rows.length === 0) throw invalid('The file contains no users, only headings.')
  if (rows.length > MAX_USERS) throw invalid(`The file contains more than ${MAX_USERS} users. Please split it.`)
  const seen = new Map<string, number>()
  return rows.map(({ line, cells }): ParsedLine => {
    const fields = { initialPassword: '' } as Record<Name, string>
    for (const [index, name] of names.entries()) if (name) fields[name] = (cells[index] ?? '').trim()
    const { email } = fields
    const parsed = UserLine.safeParse(fields)
    const key = email.toLowerCase()
    const earlier = seen.get(key)
    seen.set(key, earlier ?? line)
    if (cells.slice(names.length).some((cell) => cell.trim() !== ''))
      return { line, email, fault: 'There are more cells than headings.' }
    if (!parsed.success) return { line, email, fault: describeFault(parsed.error) }
    if (earlier !== undefined) return { line, email, fault: `The same email address stands on line ${earlier}.` }
    return { line, email, user: parsed.data }
  })
}
