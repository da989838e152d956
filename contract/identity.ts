import * as z from 'zod/mini'
import { Done, NoInput } from './basic-bodies.ts'
import { looseBoolean } from './codecs.ts'
import { Email, Otp, Password, RefreshToken, SignInCode } from './credentials.ts'
import { listOrders } from './list-order.ts'
import { PasskeyOptions, PasskeyProof } from './passkeys.ts'
import { route } from './route.ts'
import { choice, text } from './text.ts'

export const Role = choice(['admin', 'user'])
export type Role = z.output<typeof Role>

/** What completes a sign-in after the password: a code from an app, a mailed code, or a recovery code. */
const codeFactors = ['totp', 'email', 'recovery'] as const
export type CodeFactor = (typeof codeFactors)[number]

const factors = ['passkey', ...codeFactors] as const
export type Factor = (typeof factors)[number]

const PasskeyUse = choice(['only factor', 'second factor'])

const isFactor = (name: string): name is Factor => (factors as readonly string[]).includes(name)

/** The minimum number of seconds between two mailed codes. */
export const CODE_PAUSE_S = 30

/** The server finds the tenant by the host name. Older clients also name it in the body, and both must agree. */
const TenantInBody = z.nullish(text(64))

const SignInWire = z.object({
  access: z.nullish(z.string()),
  refresh: z.nullish(z.string()),
  token: z.nullish(z.string()),
  access_token: z.nullish(z.string()),
  refresh_token: z.nullish(z.string()),
  requires2FA: looseBoolean,
  newUser: looseBoolean,
  factors: z.nullish(z.array(z.string())),
})

/** Either the user must enter a code, or these are the tokens. */
const SignIn = z.object({
  access: z.nullable(z.string()),
  refresh: z.nullable(z.string()),
  requires2FA: z.boolean(),
  newUser: z.boolean(),
  /**
   * The factors that the user can choose from, strongest first. Absent when a code was mailed, because there is no
   * alternative.
   */
  factors: z.optional(z.array(z.enum(factors))),
})
export type SignIn = z.output<typeof SignIn>

export const SignInResponse = z.codec(SignInWire, SignIn, {
  decode: (wire) => ({
    access: wire.access || wire.access_token || wire.token || null,
    refresh: wire.refresh || wire.refresh_token || null,
    requires2FA: wire.requires2FA,
    newUser: wire.newUser,
    ...(wire.factors && { factors: wire.factors.filter(isFactor) }),
  }),
  encode: ({ access, refresh, requires2FA, newUser, factors: offered }) => ({
    ...(access && { access }),
    ...(refresh && { refresh }),
    requires2FA,
    newUser,
    ...(offered && { factors: offered }),
  }),
})

/** `newUser`: the password must be changed before anything else. */
const CurrentUser = z.object({
  customerName: z.string(),
  email: z.string(),
  role: Role,
  newUser: looseBoolean,
  /** A second factor must be added before anything else. */
  mustAddFactor: looseBoolean,
  /** Older servers do not send it. */
  listOrder: z.optional(z.enum(listOrders)),
})
export type CurrentUser = z.output<typeof CurrentUser>

/** `continueAt`: the URL that also ends a single sign-on session at the provider. */
const LoggedOut = z.extend(Done, { continueAt: z.optional(z.string()) })

export const confirmationWays = ['passkey', 'totp', 'password', 'single sign-on'] as const
export type ConfirmationWay = (typeof confirmationWays)[number]

export const identity = {
  login: route({
    method: 'POST',
    path: '/user/login/',
    access: 'public',
    summary: 'Sign in with email and password; returns tokens, or that a second factor is needed',
    input: z.strictObject({ email: Email, password: Password, tenant: TenantInBody }),
    output: SignInResponse,
  }),
  verifyOtp: route({
    method: 'POST',
    path: '/verify-otp/',
    access: 'public',
    summary:
      'Finish a sign-in with the mailed code, a code of an authenticator app (`factor` is `totp`) or a recovery code; needs the cookie that the sign-in has set',
    input: z.strictObject({
      email: Email,
      otp: SignInCode,
      tenant: TenantInBody,
      factor: z.optional(choice(codeFactors)),
    }),
    output: SignInResponse,
  }),
  sendCode: route({
    method: 'POST',
    path: '/send-code/',
    access: 'public',
    summary: 'Mail a code, or another one, for a sign-in that waits for it; needs the cookie that the sign-in has set',
    input: z.strictObject({ email: Email, tenant: TenantInBody }),
    output: Done,
  }),
  startPasskey: route({
    method: 'POST',
    path: '/passkey-sign-in/options/',
    access: 'public',
    summary: 'What a browser needs for a passkey to sign, after the password or instead of it; sets a cookie',
    input: z.strictObject({ use: PasskeyUse, tenant: TenantInBody }),
    output: PasskeyOptions,
  }),
  signInWithPasskey: route({
    method: 'POST',
    path: '/passkey-sign-in/',
    access: 'public',
    summary: 'Sign in with a passkey, or finish a sign-in with it; needs the cookie of the options',
    input: z.strictObject({ use: PasskeyUse, proof: PasskeyProof, tenant: TenantInBody }),
    output: SignInResponse,
  }),
  forgotPassword: route({
    method: 'POST',
    path: '/forgot-password/',
    access: 'public',
    summary: 'Mail a password that works once; the response is the same whether the address exists or not',
    input: z.strictObject({ email: Email, tenant: TenantInBody }),
    output: Done,
  }),
  refresh: route({
    method: 'POST',
    path: '/token/refresh/',
    access: 'public',
    summary: 'A new access token for a refresh token',
    input: z.strictObject({ refresh: RefreshToken }),
    output: z.object({ access: z.string() }),
  }),
  verifyToken: route({
    method: 'GET',
    path: '/verify-token/',
    access: 'user',
    isAllowedBeforePasswordChange: true,
    summary: 'The user of the access token',
    input: NoInput,
    output: CurrentUser,
  }),
  startConfirmation: route({
    method: 'POST',
    path: '/confirmation/',
    access: 'user',
    isAllowedBeforeFactor: true,
    summary:
      'How the caller can confirm this session, the most convenient first, before a call that returned `reauthenticate` is repeated; with what a browser needs for a passkey',
    input: NoInput,
    output: z.object({
      ways: z.array(z.enum(confirmationWays)),
      passkey: z.nullable(z.record(z.string(), z.unknown())),
    }),
  }),
  confirmPasskey: route({
    method: 'POST',
    path: '/confirm-passkey/',
    access: 'user',
    isAllowedBeforeFactor: true,
    summary: 'Confirm this session with a passkey of the caller',
    input: z.strictObject({ proof: PasskeyProof }),
    output: Done,
  }),
  confirmCode: route({
    method: 'POST',
    path: '/confirm-code/',
    access: 'user',
    isAllowedBeforeFactor: true,
    summary: 'Confirm this session with a code of the caller’s authenticator app',
    input: z.strictObject({ code: Otp }),
    output: Done,
  }),
  confirmPassword: route({
    method: 'POST',
    path: '/confirm-password/',
    access: 'user',
    isAllowedBeforeFactor: true,
    summary: 'Confirm this session with the caller’s password',
    input: z.strictObject({ password: Password }),
    output: Done,
  }),
  logout: route({
    method: 'POST',
    path: '/logout/',
    access: 'user',
    isAllowedBeforePasswordChange: true,
    summary: 'End this session, its refresh token included',
    input: NoInput,
    output: LoggedOut,
  }),
}
