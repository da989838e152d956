const HOST = /^(\[[\da-f:.]+\]|[^:]+)(?::\d+)?$/

/** The name in a Host header: lower case, without the port and the dot that ends a fully qualified name. */
const parseHost = (header: string) => HOST.exec(header.toLowerCase())?.[1]?.replace(/\.$/, '') ?? ''

/** What a request says about its tenant: the name in its Host header, and the tenant id that the page sent along. */
export interface TenantAddress {
  host: string
  named: string | undefined
}

export const parseTenantAddress = (hostHeader: string | undefined, named: string | undefined): TenantAddress => ({
  host: parseHost(hostHeader ?? ''),
  named,
})
