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
  /** The port on which a worker-only process serves health and metrics. Unset: none. */
  workPort: number | undefined
  host: string
  dataDir: string
  /** How long a stopping process keeps accepting requests, so that a proxy notices. */
  drainMs: number
  /** Telemetry is not requested while the spool in the data folder holds this much for the database. */
  spoolMaxBytes: number
  databaseUrl: string | undefined
  databaseOwnerUrl: string | undefined
  /** The maximum per process. */
  databaseConnections: number
  demo: boolean
  demoTerminals: number
  /** Unset with the embedded database and in the demo: a key is then generated once and stored in the data folder. */
  secretKey: string | undefined
  /** Still decrypt and verify what they encrypted and signed. */
  previousSecretKeys: string[]
  smtpUrl: string | undefined
  /** Unset: mail comes from each tenant's support address. */
  mailFrom: string | undefined
  /** Unset: no text is sent. */
  sms: SmsGateway | undefined
  /** One folder per tenant with its images. */
  brandDir: string
  marketingUrl: string
  /** The default base map for tenants that set none; without a URL, the bundled outlines. */
  mapTiles: MapTiles
  securityLog: SecurityLog
  /** The default for tenants that set none. */
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
  /** Whether browsers may cache pages and the data they have shown, for offline use. */
  offlinePages: boolean
  /** Where to report vulnerabilities; unset: there is no security.txt. */
  securityContact: string | undefined
  logLevel: string
}
