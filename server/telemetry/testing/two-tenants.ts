import pg from 'pg'
import { createTestDatabase } from '../../testing/database.ts'

/** A database with the tenants alpha and beta, and a connection that sees the rows of both. */
export const openTwoTenants = async () => {
  const db = await createTestDatabase()
  const superuser = new pg.Client(db.superuser)
  await superuser.connect()
  await superuser.query("insert into tenants (id) values ('alpha'), ('beta')")
  const close = async () => {
    await superuser.end()
    await db.close()
  }
  return { db, superuser, close }
}
