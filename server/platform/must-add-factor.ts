import { sql } from 'kysely'

/** Whether a user of the table `users` has to add a second factor before anything else. Read for every request. */
export const mustAddFactor = () => sql<boolean>`(
  not users.has_second_factor and not users.is_service and coalesce((
    select case users.role when 'admin' then settings.second_factor_for_admins else settings.second_factor_for_users end
    from tenant_settings as settings where settings.tenant_id = users.tenant_id), false))`
