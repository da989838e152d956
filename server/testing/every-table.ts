import type pg from 'pg'

/** One row of a tenant in each table with tenant data. A new table gets a line here. */
export const seedEveryTable = async (superuser: pg.Pool, tenant: string) => {
  const value = async (statement: string, values: unknown[] = []) =>
    Object.values((await superuser.query(statement, [tenant, ...values])).rows[0] ?? {})[0]
  await superuser.query("select ensure_sample_partition((now() at time zone 'UTC')::date)")
  await value("insert into tenant_settings values ($1, '{}')")
  const user = await value(
    `insert into users (tenant_id, email, password_hash, role, group_name, customer_name, company)
     values ($1, 'someone@example.com', '-', 'user', 'north', 'Someone', 'Company') returning id`,
  )
  await value(
    `insert into sessions (tenant_id, user_id, refresh_hash, expires_at, address, user_agent)
     values ($1, $2, '\\x00', now(), '127.0.0.1', 'test')`,
    [user],
  )
  const token = await value(
    `insert into api_tokens (tenant_id, user_id, name, secret_hash, hint, scopes, networks, created_at, created_by, expires_at)
     values ($1, $2, 'Script', '\\x00', 'dsb_', '{}', '{}', now(), 'someone@example.com', now()) returning id`,
    [user],
  )
  await value('insert into api_token_uses (tenant_id, token_id, user_id) values ($1, $2, $3)', [token, user])
  await value(
    `insert into sso_connections values ($1, 'https://login.example', 'id', '\\x00', 'openid', 'Sign in', true, false, '[]',
       15, 60, now())`,
  )
  await value("insert into sso_identities values ($1, 'https://login.example', 'subject', $2, now())", [user])
  await value("insert into sso_attempts values ($1, '\\x00', '\\x00', 'issuer', 'id', 'https://a', false, now())")
  await value("insert into sso_logout_tokens values ($1, '\\x00', now())")
  await value(
    `insert into sso_sessions (tenant_id, session_id, issuer, subject, id_token, checked_at)
     select tenant_id, id, 'https://login.example', 'subject', '\\x00', now() from sessions where tenant_id = $1 limit 1`,
  )
  await value("insert into known_devices values ($1, $2, '\\x00', now(), now())", [user])
  await value("insert into feature_grants values ($1, $2, 'plan_manager', 'true')", [user])
  await value('insert into notification_settings (tenant_id, user_id) values ($1, $2)', [user])
  await value("insert into notification_states values ($1, $2, 'email', now(), '{}')", [user])
  await value("insert into notification_digests (tenant_id, user_id, notice, queued_at) values ($1, $2, '{}', now())", [
    user,
  ])
  await value(
    `insert into sms_consents (tenant_id, user_id, email, text_version, address, user_agent, consented_at)
     values ($1, $2, 'someone@example.com', '1', '127.0.0.1', 'test', now())`,
    [user],
  )
  await value("insert into phone_codes values ($1, $2, '+19075550100', '\\x00', 0, now())", [user])
  await value("insert into sms_months values ($1, '2026-11-01', 1)")
  await value("insert into sms_stops values ($1, '+19075550100', now())")
  await value("insert into rate_limits values ($1, '\\x00', 1, now(), now(), now())")
  await value(
    "insert into sign_in_codes (tenant_id, user_id, challenge_hash, code_hash, expires_at) values ($1, $2, '\\x00', '\\x00', now())",
    [user],
  )
  await value("insert into totp_secrets (tenant_id, user_id, secret, created_at) values ($1, $2, '\\x00', now())", [
    user,
  ])
  await value(
    `insert into passkeys (tenant_id, user_id, name, host, credential_id, public_key, counter, transports, created_at)
     values ($1, $2, 'Laptop', 'portal.example', '\\x00', '\\x00', 0, '{}', now())`,
    [user],
  )
  await value("insert into passkey_challenges values ($1, '\\x00', '\\x00', now())")
  await value("insert into recovery_codes values ($1, $2, '\\x00', now(), null)", [user])
  await value("insert into password_requests (tenant_id, email, created_at) values ($1, 'someone@example.com', now())")
  await value(
    "insert into password_history (tenant_id, user_id, password_hash, replaced_at) values ($1, $2, '-', now())",
    [user],
  )
  await value(
    "insert into mailed_passwords (tenant_id, user_id, password_hash, expires_at) values ($1, $2, '-', now())",
    [user],
  )
  await value(
    `insert into tickets (tenant_id, name, email, message, user_id, address, created_at)
     values ($1, 'Some One', 'someone@example.com', 'Help', $2, '127.0.0.1', now())`,
    [user],
  )
  const subject = await value("insert into data_subjects (tenant_id, key) values ($1, '\\x00') returning id")
  await value("insert into data_subject_emails values ($1, 'someone@example.com', $2)", [subject])
  await value("insert into audit_anchors values ($1, 1, '\\x00', now(), 'key', '\\x00')")
  await value(`insert into audit_log values ($1, 1, now(), 'someone', 'test', 'something', '{}', '\\x00', '\\x00')`)
  await value("insert into audit_ends values ($1, 1, '\\x00')")
  await value("insert into audit_heads values ($1, '2026-11-01', 1, '\\x00')")
  await value(
    `insert into messages (tenant_id, channel, recipient, text, message_id)
     values ($1, 'email', 'someone@example.com', 'Hello', '<1@example>')`,
  )
  await value("insert into jobs (queue, tenant_id) values ('mail', $1)")
  await value("insert into job_requests (queue, tenant_id) values ('mail', $1)")
  const credential = await value(
    `insert into vendor_credentials (tenant_id, base_url, token_url, client_id, client_secret)
     values ($1, 'http://127.0.0.1/', 'http://127.0.0.1/', 'id', '\\x00') returning id`,
  )
  await value("insert into vendor_feeds (tenant_id, credential_id, feed) values ($1, $2, 'telemetry')", [credential])
  await value("insert into vendor_request_shares values ($1, $2, 'commands', array[now()])", [credential])
  const line = await value(
    `insert into service_lines
       (tenant_id, credential_id, service_line_number, nickname, group_name, account_group, active, public_ip)
     values ($1, $2, 'SL-1', 'School', 'north', 'Dishboard', true, false) returning id`,
    [credential],
  )
  const terminal = await value(
    `insert into terminals (tenant_id, credential_id, service_line_id, device_id)
     values ($1, $2, $3, 'device') returning id`,
    [credential, line],
  )
  const router = await value(
    "insert into routers (tenant_id, terminal_id, router_id) values ($1, $2, 'Router-1') returning id",
    [terminal],
  )
  await value("insert into vendor_products values ($1, $2, 'product', 'Product', 6500, 'USD')", [credential])
  const pool = await value(
    `insert into pools (tenant_id, name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb, anchor_day,
       cycle_start, cycle_end, created_at)
     values ($1, 'Pool', 'Hard Cap', 500, 500, 1, '2026-11-01', '2026-12-01', now()) returning id`,
  )
  await value('insert into pool_lines values ($1, $2, $3)', [line, pool])
  await value(
    `insert into usage_crossings (tenant_id, pool_id, cycle_start, percent, used_gb, limit_gb, crossed_at)
     values ($1, $2, '2026-11-01', 80, 400, 500, now())`,
    [pool],
  )
  const crossing = await value(
    `insert into pool_crossings (tenant_id, pool_id, cycle_start, behavior, limit_gb, used_gb, crossed_at)
     values ($1, $2, '2026-11-01', 'Hard Cap', 500, 501, now()) returning id`,
    [pool],
  )
  await value(
    `insert into pool_top_ups (tenant_id, pool_id, cycle_start, amount_gb, bought_at, bought_by)
     values ($1, $2, '2026-11-01', 500, now(), 'someone')`,
    [pool],
  )
  await value(
    `insert into pool_orders (tenant_id, crossing_id, service_line_id, desired, requested_at, due_at)
     values ($1, $2, $3, 'opt out', now(), now())`,
    [crossing, line],
  )
  await value("insert into idempotent_responses values ($1, $2, 'key', 'call', '\\x00', '{}', now())", [user])
  await value("insert into line_usage values ($1, $2, '2026-11-01', '2026-12-01', 0, 0, 0, 0)", [line])
  // A trigger adds it to the total of its month.
  await value("insert into daily_usage values ($1, $2, '2026-11-01', 0, 0, 0, 0)", [line])
  await value("insert into telemetry_batches (tenant_id, credential_id, body) values ($1, $2, '\\x00')", [credential])
  await value('insert into samples (tenant_id, terminal_id, at) values ($1, $2, now())', [terminal])
  for (const tier of ['tier_2min', 'tier_15min', 'tier_1h', 'tier_2h']) {
    await superuser.query(`select ensure_tier_partition('${tier}', (now() at time zone 'UTC')::date)`)
    await value(`insert into ${tier} (tenant_id, terminal_id, at, n) values ($1, $2, now(), 1)`, [terminal])
  }
  await superuser.query(`select ensure_tier_partition('tier_2min_packed', (now() at time zone 'UTC')::date)`)
  await value(
    `insert into tier_2min_packed (tenant_id, terminal_id, at, bucket, n) values ($1, $2, now(), '{0}', '{8}')`,
    [terminal],
  )
  await value("insert into dirty_buckets values ($1, $2, 'tier_2min', now(), true)", [credential])
  await value("insert into rollup_watermarks values ($1, $2, 'tier_2min', now())", [credential])
  await value("insert into feed_coverage values ($1, $2, '2026-11-01', '{}')", [credential])
  await value(
    `insert into commands (tenant_id, service_line_id, kind, requested_by, requested_at, before)
     values ($1, $2, 'opt_in', 'someone', now(), '{}')`,
    [line],
  )
  await value("insert into snow_melt_configs values ($1, 'AUTO', 'config')")
  await value('insert into latest (tenant_id, terminal_id, at) values ($1, $2, now())', [terminal])
  await value('insert into latest_routers (tenant_id, router_id, at) values ($1, $2, now())', [router])
  await value("insert into track_points values ($1, $2, now(), '8a0e14c8e6e7fff')", [terminal])
  await value(`insert into terminal_figures values ($1, $2, '2026-11-01', '{}', '{}', '{}', '{}', '{}', 0, null)`, [
    terminal,
  ])
  await value("insert into latest_addresses values ($1, $2, now(), '{}', '{}', '{}')", [terminal])
  await value(
    `insert into status_intervals (tenant_id, terminal_id, started_at, noted_at, status)
     values ($1, $2, now(), now(), 'online')`,
    [terminal],
  )
  await value('insert into event_clocks values ($1, now())')
  await value('insert into incident_progress values ($1, now())')
  const incident = await value(
    `insert into incidents (tenant_id, id, cause, reach, confidence, started_at, opened_at, terminal_count, evidence,
       acknowledged_by)
     values ($1, gen_random_uuid(), 'power', 'terminal', 0.6, now(), now(), 1, '{}', $2) returning id`,
    [user],
  )
  await value("insert into terminal_losses values ($1, $2, now(), null, false, '{}', $3)", [terminal, incident])
  await value(
    `insert into events (tenant_id, kind, type, at, service_line_id, details)
     values ($1, 'status', 'terminal.status_changed', now(), $2, '{}')`,
    [line],
  )
  await value("insert into availability_targets values ($1, 'north', 99.5)")
  const schedule = await value(
    `insert into report_schedules (tenant_id, id, name, period, time_zone, send_minute, next_day, next_at)
     values ($1, gen_random_uuid(), 'Weekly', 'week', 'UTC', 420, '2026-11-09', now()) returning id`,
  )
  await value('insert into report_recipients values ($1, $2, $3)', [schedule, user])
  const report = await value(
    `insert into reports values ($1, gen_random_uuid(), $2, 'Weekly', null, 'week', '2026-11-02', '2026-11-08', now(), '{}')
     returning id`,
    [schedule],
  )
  const change = await value(
    `insert into bulk_changes (tenant_id, id, user_id, kind, field, state, started_at)
     values ($1, gen_random_uuid(), $2, 'metadata', 'metadata1', 'finished', now()) returning id`,
    [user],
  )
  await value(
    'insert into bulk_lines (tenant_id, bulk_id, position, service_line_id, place) values ($1, $2, 1, $3, 1)',
    [change, line],
  )
  await value(
    `insert into saved_views values ($1, gen_random_uuid(), $2, 'Offline', 'dashboard', '{}', 'group', 'north', now())`,
    [user],
  )
  await value(
    `insert into share_links (tenant_id, id, secret_hash, kind, report_id, title, created_at, created_by, expires_at)
     values ($1, gen_random_uuid(), '\\x00', 'report', $2, 'Weekly', now(), $3, now())`,
    [report, user],
  )
  await value(
    `insert into maintenance_windows (tenant_id, id, name, service_line_id, repeats, first_day, start_minute,
       length_minutes, time_zone, entered_at)
     values ($1, gen_random_uuid(), 'Power', $2, 'once', '2026-11-01', 120, 60, 'UTC', now())`,
    [line],
  )
  await value(
    `insert into incident_assignments (tenant_id, terminal_id, lost_at, known_at, incident_id)
     select tenant_id, terminal_id, lost_at, now(), incident_id from terminal_losses where tenant_id = $1`,
  )
  const decision = await value(
    `insert into incident_decisions (tenant_id, id, kind, incident_id, decided_at, decided_by)
     values ($1, gen_random_uuid(), 'merge', $2, now(), $3) returning id`,
    [incident, user],
  )
  await value(
    `insert into incident_decision_losses (tenant_id, decision_id, terminal_id, lost_at, former_id)
     select tenant_id, $2, terminal_id, lost_at, incident_id from terminal_losses where tenant_id = $1`,
    [decision],
  )
  const endpoint = await value(
    `insert into webhook_endpoints (tenant_id, id, name, url, format, event_types, sealed_secret, created_at)
     values ($1, gen_random_uuid(), 'Desk', 'https://desk.example/', 'standard', '{}', '\\x00', now()) returning id`,
  )
  const delivery = await value(
    `insert into webhook_deliveries (tenant_id, endpoint_id, type, occurred_at, subject, account, created_at, due_at, give_up_at)
     values ($1, $2, 'ping', now(), '{}', 'someone@example.com', now(), now(), now()) returning id`,
    [endpoint],
  )
  await value('insert into webhook_attempts (tenant_id, delivery_id, attempt, started_at) values ($1, $2, 1, now())', [
    delivery,
  ])
  await value(
    `insert into security_events (tenant_id, kind, at, last_at, user_id, account, actor, address, network, device)
     values ($1, 'sign_in', now(), now(), $2, 'someone@example.com', '', '127.0.0.1', '127.0.0.0/16', 'test')`,
    [user],
  )
}
