import { Counter, Gauge, type Registry } from 'prom-client'
import { LANES, REFUSALS } from './hash-queue.ts'
import { getHashQueue } from './passwords.ts'

/** Metrics of this process's password checks. */
export const registerHashMetrics = (registry: Registry) => {
  const addGauge = (name: string, help: string, read: 'countWaiting' | 'countRunning') =>
    new Gauge({
      name,
      help,
      labelNames: ['lane'],
      registers: [registry],
      collect() {
        for (const lane of LANES) this.set({ lane }, getHashQueue()[read](lane))
      },
    })
  addGauge('password_hashes_waiting', 'Password checks that wait for their turn', 'countWaiting')
  addGauge('password_hashes_running', 'Password checks that run', 'countRunning')
  new Counter({
    name: 'password_hashes_refused_total',
    help: 'Password checks that were refused: the queue was full, or they had waited too long',
    labelNames: ['lane', 'reason'],
    registers: [registry],
    collect() {
      this.reset()
      for (const lane of LANES)
        for (const reason of REFUSALS) this.inc({ lane, reason }, getHashQueue().refused[lane][reason])
    },
  })
}
