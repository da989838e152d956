import type { Retention } from '#contract/tenant-settings.ts'
import type { MapTiles } from '#contract/tenants.ts'

export interface SmsGateway {
  apiUrl: string
  accountSid: string
  authToken: string
  from: string
}

/** Where security events are sent besides the database. */
export interface SecurityLog {
  /** 'none', 'stdout', or an address with the protocol syslog, syslogs, http or https. */
  target: string
  /** The header of requests to an HTTP address. */
  authorization: string | undefined
}

/** The settings of a process, read from the environment once at start. */
export interface Config {
  port: number
  /** Where a process that only works serves its health and metrics. Unset: nowhere. */
  workPort: number | undefined
  host: string
  dataDir: string
  /** How long a process that stops goes on accepting requests, so that a proxy notices. */
  drainMs: number
  /** No more telemetry is requested while so much waits in the data folder for the database. */
  spoolMaxBytes: number
  databaseUrl: string | undefined
  databaseOwnerUrl: string | undefined
  /** How many a process opens at most. */
  databaseConnections: number
  demo: boolean
  demoTerminals: number
  /** Unset with the embedded database and in the demo: a key is then made once and stored in the data folder. */
  secretKey: string | undefined
  /** They still read what they encrypted and signed. */
  previousSecretKeys: string[]
  smtpUrl: string | undefined
  /** Unset: mail comes from each tenant's support address. */
  mailFrom: string | undefined
  /** Unset: no text is sent. */
  sms: SmsGateway | undefined
  /** A folder per tenant with its pictures. */
  brandDir: string
  marketingUrl: string
  /** What lies under the markers where a tenant names nothing else; without an address, the bundled outlines. */
  mapTiles: MapTiles
  securityLog: SecurityLog
  /** Of tenants that set none of their own. */
  retention: Retention
  trustedProxies: string[]
  /** The token that /metrics requires. Unset: served without one in the demo, and not at all elsewhere. */
  metricsToken: string | undefined
  /** How many requests an API token may send in a minute. */
  tokenRequestsPerMinute: number
  /** Networks to which webhooks and single sign-on may send requests although they are not public. */
  outboundNetworks: string[]
  /** Whether /api/docs and /api/openapi.json are served. */
  apiDocs: boolean
  /** Whether browsers may cache the page and what it has shown, for use without a connection. */
  offlinePages: boolean
  /** Where to report vulnerabilities; unset: there is no security.txt. */
  securityContact: string | undefined
  logLevel: string
}
