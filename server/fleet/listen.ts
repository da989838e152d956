import type { Listener } from '../platform/database/listen.ts'
import { FLEET_CHANNEL, readNotification } from './notify.ts'

interface Options {
  listener: Listener
  onLines: (tenantId: string, lineIds: number[] | 'all') => void
  onConnected: () => void
}

/** Subscribes to changed lines. */
export const listenForChanges = ({ listener, onLines, onConnected }: Options) =>
  listener.subscribe({
    channel: FLEET_CHANNEL,
    onConnected,
    onNotification: (payload) => {
      const { tenantId, lineIds } = readNotification(payload)
      onLines(tenantId, lineIds)
    },
  })
