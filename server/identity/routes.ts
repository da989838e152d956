import type { identity } from '#contract/identity.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { checkSignInSender, refusePausedSender } from './check-sender.ts'
import { confirmCode, confirmPasskey, startConfirmation } from './confirm-factor.ts'
import { confirmPassword } from './confirm-password.ts'
import { forgotPassword } from './forgot-password.ts'
import { signInWithPasskey, startPasskey } from './passkey-sign-in.ts'
import { refreshSession } from './refresh-session.ts'
import { sendCode } from './send-code.ts'
import { logOut } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { listCodeLimits, listPasskeyLimits, listPasswordRequestLimits } from './sign-in-limits.ts'
import { verifyOtp } from './verify-otp.ts'
import { verifyToken } from './verify-token.ts'

export const identityHandlers = {
  login: { checkSender: checkSignInSender, handle: signIn },
  verifyOtp: { checkSender: refusePausedSender(({ address }) => listCodeLimits(address)), handle: verifyOtp },
  sendCode: { checkSender: refusePausedSender(({ address }) => listCodeLimits(address)), handle: sendCode },
  startPasskey: { checkSender: refusePausedSender(({ address }) => listPasskeyLimits(address)), handle: startPasskey },
  signInWithPasskey: {
    checkSender: refusePausedSender(({ address }) => listCodeLimits(address)),
    handle: signInWithPasskey,
  },
  forgotPassword: {
    checkSender: refusePausedSender(({ address }) => listPasswordRequestLimits(address)),
    handle: forgotPassword,
  },
  refresh: refreshSession,
  verifyToken,
  startConfirmation,
  confirmPasskey,
  confirmCode,
  confirmPassword,
  logout: logOut,
} satisfies Handlers<typeof identity>
