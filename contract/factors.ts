import * as z from 'zod/mini'
import { Done, NoInput } from './basic-bodies.ts'
import { moment } from './codecs.ts'
import { Otp } from './credentials.ts'
import { NewPasskey, PasskeyOptions } from './passkeys.ts'
import { route } from './route.ts'
import { requiredLine, uuid } from './text.ts'

/** What a user signs in with in addition to the password. Secrets cannot be read back. */
const OwnFactors = z.object({
  totp: z.nullable(z.object({ addedAt: moment, lastUsedAt: z.nullable(moment) })),
  passkeys: z.array(
    z.object({ id: z.string(), name: z.string(), host: z.string(), addedAt: moment, lastUsedAt: z.nullable(moment) }),
  ),
  recoveryCodesLeft: z.number(),
})
export type OwnFactors = z.output<typeof OwnFactors>

/** Adding the first factor also returns recovery codes, once. */
const AddedFactor = z.object({ message: z.string(), recoveryCodes: z.nullable(z.array(z.string())) })
export type AddedFactor = z.output<typeof AddedFactor>

export const factors = {
  list: route({
    method: 'GET',
    path: '/my-factors/',
    access: 'user',
    isAllowedBeforeFactor: true,
    summary: 'The caller’s second factors',
    input: NoInput,
    output: OwnFactors,
  }),
  startTotp: route({
    method: 'POST',
    path: '/my-factors/totp/',
    access: 'user',
    isAllowedBeforeFactor: true,
    summary: 'A secret for an authenticator app; it counts when a code of it is confirmed',
    input: NoInput,
    output: z.object({ secret: z.string(), uri: z.string() }),
  }),
  confirmTotp: route({
    method: 'POST',
    path: '/my-factors/totp/confirm/',
    access: 'user',
    isAllowedBeforeFactor: true,
    summary: 'Confirm the authenticator app by a code; from then on a sign-in asks for one',
    input: z.strictObject({ code: Otp }),
    output: AddedFactor,
  }),
  removeTotp: route({
    method: 'DELETE',
    path: '/my-factors/totp/',
    access: 'user',
    isAllowedBeforeFactor: true,
    summary: 'Remove the authenticator app',
    input: NoInput,
    output: Done,
  }),
  startPasskey: route({
    method: 'POST',
    path: '/my-factors/passkeys/options/',
    access: 'user',
    isAllowedBeforeFactor: true,
    summary: 'What a browser needs to create a passkey for the caller',
    input: NoInput,
    output: PasskeyOptions,
  }),
  addPasskey: route({
    method: 'POST',
    path: '/my-factors/passkeys/',
    access: 'user',
    isAllowedBeforeFactor: true,
    summary: 'Add a passkey that the browser has created; from then on it signs in, and a password alone does not',
    input: z.strictObject({ name: requiredLine(60), passkey: NewPasskey }),
    output: AddedFactor,
  }),
  removePasskey: route({
    method: 'DELETE',
    path: '/my-factors/passkeys/:passkeyId/',
    access: 'user',
    isAllowedBeforeFactor: true,
    summary: 'Remove a passkey of the caller',
    input: z.strictObject({ passkeyId: uuid('This is not a valid id of a passkey.') }),
    output: Done,
  }),
  createRecoveryCodes: route({
    method: 'POST',
    path: '/my-factors/recovery-codes/',
    access: 'user',
    isAllowedBeforeFactor: true,
    summary: 'New recovery codes, shown once; the earlier ones are not valid any more',
    input: NoInput,
    output: z.object({ recoveryCodes: z.array(z.string()) }),
  }),
}
