import { parseArgs } from 'node:util'
import { type AccountOptions, REQUESTS_PER_MINUTE } from './accounts.ts'
import { SCENARIOS } from './scenarios.ts'
import { DEFAULT_CREDENTIAL, type SimulatorOptions, startSimulator } from './server.ts'

const HELP = `Serves the vendor's public API V2 on 127.0.0.1 with a simulated fleet.

npm run simulator -- [options]
  --port N             port to listen on, 0 for any free one (default 8090)
  --terminals N        user terminals in the fleet, 1 to 100000 (default 60)
  --seed N             same seed, same fleet (default 1)
  --speed N            speed up simulated time N times (default 1)
  --client-id X        credential of the account (default ${DEFAULT_CREDENTIAL.clientId})
  --client-secret Y    (default ${DEFAULT_CREDENTIAL.clientSecret})
  --account X:Y:N      instead: an account with client id X, secret Y and N terminals; may be repeated
  --rate N             requests a minute that each account is allowed (default ${REQUESTS_PER_MINUTE})
  --parent-pid N       exit when that process has ended

While it runs, failures can be switched on and off:
  curl -d '{"name":"stream-404","on":true}' http://127.0.0.1:PORT/simulator/scenarios
${Object.entries(SCENARIOS)
  .map(([name, description]) => `  ${name.padEnd(20)} ${description}`)
  .join('\n')}
and one terminal taken down, or brought up to stay up, by its id, kit number, line number or nickname:
  curl -X POST http://127.0.0.1:PORT/simulator/terminals/ID/down
`

class UsageError extends Error {}

const parseWholeNumber = (text: string, name: string, least: number, most: number) => {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number < least || number > most) {
    throw new UsageError(`${name} must be a whole number from ${least} to ${most}, not '${text}'`)
  }
  return number
}

const parseAccount = (text: string): AccountOptions => {
  const [clientId, clientSecret, terminals, ...rest] = text.split(':')
  if (!clientId || !clientSecret || terminals === undefined || rest.length > 0) {
    throw new UsageError(`--account must be ID:SECRET:TERMINALS, not '${text}'`)
  }
  return { clientId, clientSecret, terminals: parseWholeNumber(terminals, 'The terminals of --account', 1, 100_000) }
}

const parseArguments = (): (SimulatorOptions & { parentPid: number | null }) | null => {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8090' },
      terminals: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      speed: { type: 'string', default: '1' },
      'client-id': { type: 'string', default: DEFAULT_CREDENTIAL.clientId },
      'client-secret': { type: 'string', default: DEFAULT_CREDENTIAL.clientSecret },
      account: { type: 'string', multiple: true, default: [] },
      rate: { type: 'string', default: String(REQUESTS_PER_MINUTE) },
      'parent-pid': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const speed = Number(values.speed)
  if (!(speed > 0 && speed <= 10_000))
    throw new UsageError(`--speed must be above 0 and at most 10000, not '${values.speed}'`)
  const single = {
    clientId: values['client-id'],
    clientSecret: values['client-secret'],
    terminals: parseWholeNumber(values.terminals, '--terminals', 1, 100_000),
  }
  const parentPid = values['parent-pid']
  return {
    port: parseWholeNumber(values.port, '--port', 0, 65_535),
    accounts: values.account.length > 0 ? values.account.map(parseAccount) : [single],
    seed: parseWholeNumber(values.seed, '--seed', 0, 2 ** 31 - 1),
    speed,
    requestsPerMinute: parseWholeNumber(values.rate, '--rate', 1, 1_000_000),
    parentPid: parentPid === undefined ? null : parseWholeNumber(parentPid, '--parent-pid', 1, 2 ** 31 - 1),
  }
}

const endWithParent = (pid: number, stop: () => void) => {
  setInterval(() => {
    try {
      process.kill(pid, 0)
    } catch {
      stop()
    }
  }, 1_000).unref()
}

const main = async () => {
  const options = parseArguments()
  if (options === null) {
    process.stdout.write(HELP)
    return
  }
  const simulator = await startSimulator(options)
  const terminals = simulator.fleet.terminals.length
  console.log(
    `simulator listening on ${simulator.origin} with ${terminals} terminals, base ${simulator.url}, tokens ${simulator.tokenUrl}`,
  )
  const stop = () => void simulator.close().then(() => process.exit(0))
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  if (options.parentPid !== null) endWithParent(options.parentPid, stop)
}

main().catch((error: NodeJS.ErrnoException) => {
  if (error instanceof UsageError || error.code?.startsWith('ERR_PARSE_ARGS')) {
    console.error(`simulator: ${error.message.split('\n')[0]} (see --help)`)
    process.exit(2)
  }
  if (error.code === 'EADDRINUSE') {
    console.error('simulator: the port is already in use; choose another with --port')
    process.exit(1)
  }
  throw error
})
