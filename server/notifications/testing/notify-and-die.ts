import { openDatabase } from '../../platform/database/database.ts'
import { sendUntil } from './fleet.ts'

// Notifies the users of a tenant minute by minute until it kills itself partway through.
const database = openDatabase(JSON.parse(process.env.CONNECTION as string), () => {})
const untilMs = new Date(process.env.UNTIL as string).getTime()
setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(process.env.DIE_AFTER_MS))
for (let ms = untilMs - 1200 * 60_000; ms <= untilMs; ms += 60_000) await sendUntil(database, 'a', new Date(ms))
process.kill(process.pid, 'SIGKILL')
