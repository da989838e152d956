import { StartupError } from '../platform/startup-error.ts'

const NOT_TRUSTED = 'its certificate is not trusted'

const faults: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOENT: 'there is no such socket',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name cannot be looked up',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the network of the host',
  ETIMEDOUT: 'the host does not respond',
  ECONNRESET: 'the host ended the connection',
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  '28P01': 'the password is wrong',
  '28000': 'the role may not connect',
  '3D000': 'there is no such database',
  '53300': 'it has no connections left; raise max_connections there, or lower DATABASE_CONNECTIONS',
  '25006': 'it is a read-only standby; use the address of the primary server',
  '42501':
    'its role lacks a privilege; create both roles as docs/operating.md describes, then run `npm run dishboard -- migrate`',
  '53100': 'its disk is full; free some space there',
}

// The driver gives these errors no code.
const messages: [RegExp, string][] = [
  [/does not support SSL/, 'it does not speak TLS; turn on ssl there, or remove sslmode from the address'],
  [/timeout expired|connection timeout|timeout exceeded/i, 'the host does not respond'],
  [/SASL|SCRAM/, 'the password is missing or not understood'],
]

/** Says what to do about a database that cannot be used; returns any other error unchanged. */
export const explainDatabaseFault = (error: unknown, database: string): unknown => {
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  const fault = faults[code] ?? messages.find(([pattern]) => pattern.test(message))?.[1]
  return fault === undefined || error instanceof StartupError
    ? error
    : new StartupError(`${database} cannot be used: ${fault} (${message}).`)
}
