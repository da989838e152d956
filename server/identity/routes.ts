import type { identity } from '#contract/identity.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { forgotPassword } from './forgot-password.ts'
import { logOut, refreshSession } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { verifyOtp } from './verify-otp.ts'

export const identityHandlers: Handlers<typeof identity> = {
  login: signIn,
  verifyOtp,
  forgotPassword,
  refresh: refreshSession,
  verifyToken: async ({ user }) => ({ customerName: user.customerName, email: user.email, role: user.role }),
  logout: logOut,
}
