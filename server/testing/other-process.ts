import pino from 'pino'
import { openDatabase } from '../platform/database/database.ts'
import { createApp } from '../process/app.ts'
import type { TestServer } from './server.ts'

/** Another server process on the same database: with its own connections and empty caches. */
export const startOtherProcess = async ({ services, runtime }: TestServer) => {
  const database = openDatabase(runtime, () => {})
  const others = { ...services, config: { ...services.config }, database }
  const app = await createApp(others, pino({ level: 'silent' }), { maxEventLoopDelayMs: Number.POSITIVE_INFINITY })
  return {
    /** The status of a GET request for tenant a. */
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
