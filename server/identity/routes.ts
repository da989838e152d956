import type { identity } from '#contract/identity.ts'
import { type Handlers, pending } from '../http.ts'
import { logOut, refreshSession } from './sessions.ts'
import { signIn } from './sign-in.ts'

export const identityHandlers: Handlers<typeof identity> = {
  login: signIn,
  verifyOtp: pending,
  forgotPassword: pending,
  refresh: refreshSession,
  verifyToken: async ({ person }) => ({ customerName: person.customerName, email: person.email, role: person.role }),
  logout: logOut,
}
