import * as z from 'zod/mini'
import { Done, NoInput } from './basic-bodies.ts'
import { looseBoolean } from './codecs.ts'
import { Email, Otp, Password, RefreshToken } from './credentials.ts'
import { route } from './route.ts'
import { choice, text } from './text.ts'

export const Role = choice(['admin', 'user'])
export type Role = z.output<typeof Role>

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
})

/** Either the user must enter a code, or the tokens are here. */
const SignIn = z.object({
  access: z.nullable(z.string()),
  refresh: z.nullable(z.string()),
  requires2FA: z.boolean(),
  newUser: z.boolean(),
})
export type SignIn = z.output<typeof SignIn>

const SignInAnswer = z.codec(SignInWire, SignIn, {
  decode: (wire) => ({
    access: wire.access || wire.access_token || wire.token || null,
    refresh: wire.refresh || wire.refresh_token || null,
    requires2FA: wire.requires2FA,
    newUser: wire.newUser,
  }),
  encode: ({ access, refresh, requires2FA, newUser }) => ({
    ...(access && { access }),
    ...(refresh && { refresh }),
    requires2FA,
    newUser,
  }),
})

/** `newUser`: the password has to be changed before anything else. */
const CurrentUser = z.object({ customerName: z.string(), email: z.string(), role: Role, newUser: looseBoolean })
export type CurrentUser = z.output<typeof CurrentUser>

export const identity = {
  login: route({
    method: 'POST',
    path: '/user/login/',
    access: 'public',
    summary: 'Sign in with email and password; returns tokens, or that a code was mailed',
    input: z.strictObject({ email: Email, password: Password, tenant: TenantInBody }),
    output: SignInAnswer,
  }),
  verifyOtp: route({
    method: 'POST',
    path: '/verify-otp/',
    access: 'public',
    summary: 'Finish a sign-in with the mailed code; needs the cookie that the sign-in has set',
    input: z.strictObject({ email: Email, otp: Otp, tenant: TenantInBody }),
    output: SignInAnswer,
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
  confirmPassword: route({
    method: 'POST',
    path: '/confirm-password/',
    access: 'user',
    summary: 'Confirm the caller’s password for this session, before a call that returned `reauthenticate` is repeated',
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
    output: Done,
  }),
}
