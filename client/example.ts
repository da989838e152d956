import { createClient } from './client.ts'

/** Prints the terminals that are not online, and acknowledges the open incidents. */
export const report = async (url: string, token: string, print: (line: string) => void) => {
  const client = createClient({ url, token })
  const { data } = await client.terminals.details()
  for (const { nickname, status, lastSeen } of data)
    if (status !== 'online') print(`${nickname}: ${status}, last seen ${lastSeen?.toISOString() ?? 'never'}`)
  const { incidents } = await client.incidents.list({ show: 'open' })
  for (const { id } of incidents) await client.incidents.acknowledge({ id, note: 'Seen by the night shift' })
}
