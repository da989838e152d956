import pg from 'pg'
import { startTestServer } from './server.ts'

/** The HTTP side, and a connection that sees and changes everything in its database. */
export const startWithSuperuser = async () => {
  const server = await startTestServer()
  const superuser = new pg.Client(server.superuser)
  await superuser.connect()
  const close = async () => {
    await superuser.end()
    await server.close()
  }
  return { server, superuser, close }
}
