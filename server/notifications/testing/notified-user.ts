import { startMailbox } from '../../testing/mailbox.ts'
import { startTestServer } from '../../testing/server.ts'
import { addLines, addTurns, sendUntil, setPreferences } from './fleet.ts'

/** A server whose user someone@mail.example of the tenant a has got a mail that the first of two terminals is offline. */
export const startWithNotifiedUser = async () => {
  const server = await startTestServer()
  const mailbox = await startMailbox(server)
  const userId = await server.addUser('a')
  const lines = await addLines(server.database, 'a', 2, 'north')
  const preferences = { by_email: true, status_changes: true, selected_line_ids: lines.map(({ lineId }) => lineId) }
  await setPreferences(server.database, 'a', userId, preferences)
  const startMs = Date.now() - 3_600_000
  await sendUntil(server.database, 'a', new Date(startMs))
  const lost = { terminalId: lines[0]?.terminalId as number, at: new Date(startMs), notedAt: new Date(startMs + 1_000) }
  await addTurns(server.database, 'a', [{ ...lost, status: 'offline' }])
  await sendUntil(server.database, 'a', new Date())
  return {
    server,
    mailbox,
    userId,
    close: async () => {
      await mailbox.close()
      await server.close()
    },
  }
}
