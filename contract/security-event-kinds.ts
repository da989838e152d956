/** Every kind of security event, with its name on pages. */
export const securityEventKinds = {
  sign_in: 'Signed in',
  new_device: 'Signed in on a new device',
  sign_in_failed: 'Sign-in failed',
  sign_in_locked: 'Sign-in refused after too many tries',
  code_sent: 'Code sent',
  code_failed: 'Wrong code',
  factor_added: 'Second factor added',
  factor_removed: 'Second factor removed',
  factors_reset: 'Second factors reset by an administrator',
  recovery_codes_created: 'Recovery codes created',
  recovery_code_used: 'Signed in with a recovery code',
  passkey_failed: 'Passkey refused',
  passkey_copied: 'Passkey refused, because it may be a copy',
  confirmation_failed: 'Wrong password when asked again',
  password_requested: 'New password requested',
  password_mailed: 'New password mailed',
  password_changed: 'Password changed',
  password_reset: 'Password reset by an administrator',
  signed_out: 'Signed out',
  session_ended: 'Session ended',
  token_created: 'API token created',
  token_revoked: 'API token revoked',
  token_new_address: 'API token used from a new address',
  token_refused: 'API token refused',
  user_created: 'User created',
  user_changed: 'User changed',
  user_deleted: 'User deleted',
  user_erased: 'Personal data erased',
  rights_changed: 'Rights changed',
  settings_changed: 'Settings changed',
  export: 'Data exported',
  log_anchored: 'Editing log anchored',
} as const

export type SecurityEventKind = keyof typeof securityEventKinds

export const securityEventKindCodes = Object.keys(securityEventKinds) as SecurityEventKind[]
