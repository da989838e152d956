import pg from 'pg'

/** `tenant_id = $3` as a condition, optionally qualified and quoted; not an assignment in an update. */
const TENANT_FILTER = /(?<=\b(?:where|and|or|on)\s+\(*)(?:"?\w+"?\.)?"?tenant_id"?\s*=\s*(\$\d+)/g

/** The same statement with every comparison with a tenant replaced by true. */
export const withoutTenantFilters = (statement: string) => statement.replace(TENANT_FILTER, '($1::text is not null)')

let removed = 0
export const countRemovedFilters = () => removed

const unfiltered = (statement: unknown): unknown => {
  if (typeof statement === 'string') {
    const bare = withoutTenantFilters(statement)
    if (bare !== statement) removed += 1
    return bare
  }
  if (typeof statement === 'object' && statement !== null && 'text' in statement) {
    const text = unfiltered(statement.text)
    // The driver's own query objects have methods that a copy would lack.
    return statement instanceof pg.Query ? Object.assign(statement, { text }) : { ...statement, text }
  }
  return statement
}

/** A client without the application's tenant filters: only row-level security remains. */
export class UnfilteredClient extends pg.Client {
  // The driver has a dozen overloads; the statement is the first argument of all of them.
  override query(statement: unknown, ...rest: unknown[]): never {
    return super.query(unfiltered(statement) as never, ...(rest as [])) as never
  }
}
