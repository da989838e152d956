/** The kind of user data in a column, by which their rows are found. */
export type Key = 'id' | 'email' | 'phone' | 'email or phone'

interface Place {
  keys: Record<string, Key>
  /** The columns in an export. Secrets (hashes of passwords, codes and tokens) are never listed. */
  columns: readonly string[]
  /**
   * How it is erased: deleted by the database together with the user, found by its keys and deleted, or retained without
   * the address. In the editing log, the key of the names is destroyed.
   */
  erasure: 'with user' | 'delete' | 'label' | 'key'
}

/**
 * Every table that holds data about users, and how their rows are found. A test compares it with the database: a new column
 * with a user, name, address or number has to be listed here or below.
 */
export const personalPlaces: Record<string, Place> = {
  users: {
    keys: { id: 'id' },
    erasure: 'with user',
    columns: [
      'id',
      'email',
      'role',
      'group_name',
      'customer_name',
      'company',
      'check_otp',
      'has_second_factor',
      'gets_audit_mail',
      'list_order',
      'created_at',
    ],
  },
  sessions: {
    keys: { user_id: 'id' },
    erasure: 'with user',
    columns: ['created_at', 'expires_at', 'ended_at', 'confirmed_at', 'address', 'user_agent'],
  },
  sso_identities: { keys: { user_id: 'id' }, erasure: 'with user', columns: ['issuer', 'subject', 'linked_at'] },
  known_devices: { keys: { user_id: 'id' }, erasure: 'with user', columns: ['first_seen_at', 'last_seen_at'] },
  api_tokens: {
    keys: { user_id: 'id', created_by: 'email' },
    erasure: 'label',
    columns: ['name', 'scopes', 'networks', 'created_at', 'created_by', 'expires_at', 'revoked_at'],
  },
  api_token_uses: {
    keys: { user_id: 'id' },
    erasure: 'with user',
    columns: ['last_used_at', 'last_address', 'known_networks'],
  },
  feature_grants: {
    keys: { user_id: 'id', changed_by: 'email' },
    erasure: 'label',
    columns: ['user_id', 'item', 'value', 'changed_by', 'changed_at'],
  },
  notification_settings: {
    keys: { user_id: 'id' },
    erasure: 'with user',
    columns: [
      'by_email',
      'by_sms',
      'phone_number',
      'phone_verified_at',
      'status_changes',
      'data_usage',
      'warnings',
      'selected_line_ids',
      'quiet_from_minute',
      'quiet_until_minute',
      'time_zone',
      'sms_daily_limit',
      'digest',
    ],
  },
  notification_states: {
    keys: { user_id: 'id' },
    erasure: 'with user',
    columns: ['channel', 'planned_until', 'state'],
  },
  notification_digests: { keys: { user_id: 'id' }, erasure: 'with user', columns: ['notice', 'queued_at'] },
  sms_consents: {
    keys: { user_id: 'id', email: 'email' },
    erasure: 'delete',
    columns: ['email', 'phone_number', 'text_version', 'address', 'user_agent', 'consented_at'],
  },
  sms_stops: { keys: { phone_number: 'phone' }, erasure: 'delete', columns: ['phone_number', 'stopped_at'] },
  phone_codes: { keys: { user_id: 'id' }, erasure: 'with user', columns: ['phone_number', 'expires_at'] },
  sign_in_codes: { keys: { user_id: 'id' }, erasure: 'with user', columns: ['sent_at', 'expires_at'] },
  totp_secrets: {
    keys: { user_id: 'id' },
    erasure: 'with user',
    columns: ['created_at', 'confirmed_at', 'last_used_at'],
  },
  passkeys: {
    keys: { user_id: 'id' },
    erasure: 'with user',
    columns: ['name', 'host', 'created_at', 'last_used_at'],
  },
  recovery_codes: { keys: { user_id: 'id' }, erasure: 'with user', columns: ['created_at', 'used_at'] },
  mailed_passwords: { keys: { user_id: 'id' }, erasure: 'with user', columns: ['expires_at', 'used_at'] },
  password_history: { keys: { user_id: 'id' }, erasure: 'with user', columns: ['replaced_at'] },
  password_requests: { keys: { email: 'email' }, erasure: 'delete', columns: ['email', 'created_at'] },
  messages: {
    keys: { recipient: 'email or phone', reply_to: 'email' },
    erasure: 'delete',
    columns: ['channel', 'recipient', 'reply_to', 'subject', 'text', 'state', 'created_at', 'finished_at'],
  },
  webhook_deliveries: {
    keys: { account: 'email' },
    erasure: 'delete',
    columns: ['type', 'account', 'body', 'state', 'created_at', 'finished_at'],
  },
  tickets: {
    keys: { user_id: 'id', email: 'email' },
    erasure: 'delete',
    columns: ['number', 'name', 'email', 'message', 'address', 'created_at', 'page', 'terminal', 'conversation'],
  },
  commands: {
    keys: { user_id: 'id', requested_by: 'email' },
    erasure: 'label',
    columns: ['kind', 'desired', 'requested_by', 'requested_at', 'service_line_id'],
  },
  incidents: {
    keys: { acknowledged_by: 'id' },
    erasure: 'label',
    columns: ['started_at', 'acknowledged_at', 'note'],
  },
  incident_decisions: {
    keys: { decided_by: 'id' },
    erasure: 'label',
    columns: ['kind', 'decided_at', 'withdrawn_at'],
  },
  pool_top_ups: {
    keys: { bought_by: 'email' },
    erasure: 'label',
    columns: ['pool_id', 'amount_gb', 'bought_by', 'bought_at'],
  },
  report_recipients: { keys: { user_id: 'id' }, erasure: 'with user', columns: ['schedule_id'] },
  bulk_changes: {
    keys: { user_id: 'id' },
    erasure: 'with user',
    columns: ['group_name', 'kind', 'field', 'state', 'started_at'],
  },
  saved_views: {
    keys: { owner_id: 'id' },
    erasure: 'with user',
    columns: ['name', 'page', 'state', 'audience', 'group_name', 'changed_at'],
  },
  share_links: {
    keys: { created_by: 'id' },
    erasure: 'with user',
    columns: ['kind', 'title', 'group_name', 'created_at', 'expires_at', 'revoked_at', 'opened', 'last_opened_at'],
  },
  idempotent_responses: { keys: { user_id: 'id' }, erasure: 'with user', columns: ['call', 'responded_at'] },
  security_events: {
    keys: { user_id: 'id', account: 'email', actor: 'email' },
    erasure: 'label',
    columns: ['kind', 'at', 'last_at', 'count', 'account', 'actor', 'address', 'device', 'details'],
  },
  data_subject_emails: { keys: { email: 'email' }, erasure: 'key', columns: ['email', 'subject_id'] },
  audit_log: {
    keys: { performer: 'email', performee: 'email' },
    erasure: 'key',
    columns: ['seq', 'at', 'performer', 'action', 'performee', 'details'],
  },
}

/** Columns whose names suggest user data, and what they contain instead. */
export const impersonalColumns: Record<string, string> = {
  'availability_targets.group_name': 'the customer of a reseller',
  'events.group_name': 'the customer of a reseller',
  'jobs.leased_by': 'a process',
  'known_devices.device_hash': 'a keyed hash',
  'maintenance_windows.name': 'the name of planned work',
  'maintenance_windows.group_name': 'the customer of a reseller',
  'messages.message_id': 'the id of a mail',
  'pools.name': 'the name of a pool',
  'pools.group_name': 'the customer of a reseller',
  'report_schedules.name': 'the name of a report',
  'report_schedules.group_name': 'the customer of a reseller',
  'reports.name': 'the name of a report',
  'reports.group_name': 'the customer of a reseller',
  'service_lines.nickname': 'the name of a terminal',
  'service_lines.custom_name': 'the name of a terminal',
  'service_lines.product_name': 'the name of a product',
  'service_lines.group_name': 'the customer of a reseller',
  'service_lines.account_group': 'a group of accounts at the vendor',
  'tenant_settings.address_radius_km': 'a setting of the reseller',
  'tenant_settings.message_retention_days': 'a setting of the reseller',
  'terminals.device_id': 'the id of a terminal',
  'vendor_credentials.account_number': 'the account of the reseller at the vendor',
  'webhook_endpoints.name': 'the name of a receiver',
  'webhook_endpoints.group_name': 'the customer of a reseller',
  'vendor_products.name': 'the name of a product',
}
