import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { listenTo } from '../platform/database/listen.ts'
import { FLEET_CHANNEL, readNotification } from './notify.ts'

interface Options {
  connection: pg.ClientConfig
  log: FastifyBaseLogger
  onLines: (tenantId: string, lineIds: number[] | 'all') => void
  onConnected: () => void
}

/** Hears of changed lines. */
export const listenForChanges = ({ onLines, ...options }: Options) =>
  listenTo({
    ...options,
    channel: FLEET_CHANNEL,
    onNotification: (payload) => {
      const { tenantId, lineIds } = readNotification(payload)
      onLines(tenantId, lineIds)
    },
  })
