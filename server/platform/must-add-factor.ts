import { sql } from 'kysely'

/** Whether a row of `users` must add a second factor before anything else. Evaluated for every request. */
export const mustAddFactor = () => sql<boolean>`(
  not users.has_second_factor and not users.is_service and coalesce((
    select case users.role when 'admin' then settings.second_factor_for_admins else settings.second_factor_for_users end
    from tenant_settings as settings where settings.tenant_id = users.tenant_id), false))`
