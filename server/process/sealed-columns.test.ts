import { expect, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import { sealedColumns } from './sealed-columns.ts'

/** Binary columns that are not encrypted: hashes, signatures and packed data. */
const NOT_SEALED = [
  'api_tokens.secret_hash',
  'audit_anchors.hash',
  'audit_anchors.signature',
  'audit_ends.hash',
  'audit_heads.hash',
  'audit_log.hash',
  'audit_log.previous_hash',
  'audit_log.seal',
  'data_subjects.key',
  'idempotent_responses.input_hash',
  'known_devices.device_hash',
  'passkey_challenges.challenge',
  'passkey_challenges.holder_hash',
  'passkeys.credential_id',
  'passkeys.public_key',
  'phone_codes.code_hash',
  'rate_limits.key',
  'recovery_codes.code_hash',
  'security_events.fold_key',
  'sessions.refresh_hash',
  'share_links.secret_hash',
  'sign_in_codes.challenge_hash',
  'sign_in_codes.code_hash',
  'sso_attempts.browser_hash',
  'sso_attempts.state_hash',
  'sso_logout_tokens.token_hash',
  'telemetry_batches.body',
  'tier_15min.chart',
  'tier_1h.chart',
  'tier_2h.chart',
  'tier_2min.chart',
]

test('every column of bytes is either re-encrypted with a new key, or known not to be encrypted', async () => {
  const db = await createTestDatabase()
  const client = await db.connectSuperuser()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select c.relname || '.' || a.attname as name
       from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and a.atttypid = 'bytea'::regtype and not a.attisdropped
       order by 1`,
    )
    const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
    expect(rows.map(({ name }) => name).toSorted()).toEqual([...NOT_SEALED, ...sealed].toSorted())
  } finally {
    await db.close()
  }
})
