const HOST = /^(\[[\da-f:.]+\]|[^:]+)(?::\d+)?$/

/** The name in a Host header: lowercase, without the port and the trailing dot of a fully qualified name. */
const parseHost = (header: string) => HOST.exec(header.toLowerCase())?.[1]?.replace(/\.$/, '') ?? ''

/** What identifies the tenant of a request: the name in its Host header, and the tenant id that the page sent. */
export interface TenantAddress {
  host: string
  named: string | undefined
}

export const parseTenantAddress = (hostHeader: string | undefined, named: string | undefined): TenantAddress => ({
  host: parseHost(hostHeader ?? ''),
  named,
})
