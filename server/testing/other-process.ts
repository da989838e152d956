import pino from 'pino'
import { openDatabase } from '../platform/database/database.ts'
import { createApp } from '../process/app.ts'
import type { TestServer } from './server.ts'

/** Another serving process on the database of a server: with its own connections, and nothing that is cached. */
export const startOtherProcess = async ({ services, runtime }: TestServer) => {
  const database = openDatabase(runtime, () => {})
  const others = { ...services, config: { ...services.config }, database }
  const app = await createApp(others, pino({ level: 'silent' }), { maxEventLoopDelayMs: Number.POSITIVE_INFINITY })
  return {
    /** The status of a GET of tenant a. */
    get: async (url: string, token: string) => {
      const headers = { host: 'a.example', authorization: `Bearer ${token}` }
      return (await app.inject({ url, headers })).statusCode
    },
    close: async () => {
      await app.close()
      await database.close()
    },
  }
}
