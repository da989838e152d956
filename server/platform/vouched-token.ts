import { sql } from 'kysely'

/**
 * Whether the provider of single sign-on is responsible for password and factors of a row of `api_tokens`, as for the session
 * in which it was created: as long as its user is linked to that provider and signs in there.
 */
export const isVouchedToken = (token: string) => sql<boolean>`(
  ${sql.ref(token)}.is_single_sign_on and exists (
    select from sso_connections as connection
    join sso_identities as identity on identity.tenant_id = connection.tenant_id and identity.issuer = connection.issuer
    where connection.tenant_id = ${sql.ref(token)}.tenant_id and connection.is_enabled
      and identity.user_id = ${sql.ref(token)}.user_id))`
