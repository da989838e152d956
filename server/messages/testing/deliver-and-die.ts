import pino from 'pino'
import { openDatabase } from '../../db.ts'
import { createDelivery } from '../deliver.ts'
import { createSmsCourier } from '../sms.ts'

// Delivers a tenant's texts, as if it were the time it is told, until it kills itself in the middle of it.
const database = openDatabase(JSON.parse(process.env.CONNECTION as string), () => {})
const aheadMs = Number(process.env.AHEAD_MS)
const delivery = createDelivery({
  database,
  courier: createSmsCourier(JSON.parse(process.env.GATEWAY as string)),
  mailFrom: undefined,
  log: pino({ level: 'silent' }),
  now: () => new Date(Date.now() + aheadMs),
})
setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(process.env.DIE_AFTER_MS))
await delivery.deliverDue('a')
process.kill(process.pid, 'SIGKILL')
