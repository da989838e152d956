import { identity } from './identity.ts'
import { tenants } from './tenants.ts'
import { terminals } from './terminals.ts'

/** Every call of the API: the server mounts it, the web client and the OpenAPI document are derived from it. */
export const api = { tenants, identity, terminals }
