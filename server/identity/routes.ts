import type { identity } from '#contract/identity.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { confirmPassword } from './confirm-password.ts'
import { forgotPassword } from './forgot-password.ts'
import {
  codeNetworkLimit,
  passwordRequestNetworkLimit,
  refreshLimit,
  refuseExhaustedNetwork,
  signInNetworkLimit,
} from './rate-limits.ts'
import { logOut, refreshSession } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { verifyOtp } from './verify-otp.ts'

export const identityHandlers: Handlers<typeof identity> = {
  login: { checkSender: refuseExhaustedNetwork(signInNetworkLimit), handle: signIn },
  verifyOtp: { checkSender: refuseExhaustedNetwork(codeNetworkLimit), handle: verifyOtp },
  forgotPassword: { checkSender: refuseExhaustedNetwork(passwordRequestNetworkLimit), handle: forgotPassword },
  // 429 and not 401: a user who shares the network with an attacker must not lose a valid token.
  refresh: { checkSender: refuseExhaustedNetwork(refreshLimit), handle: refreshSession },
  verifyToken: async ({ user }) => ({ customerName: user.customerName, email: user.email, role: user.role }),
  confirmPassword,
  logout: logOut,
}
