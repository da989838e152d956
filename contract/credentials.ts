import * as z from 'zod/mini'
import { requiredText, text, textLike } from './text.ts'

export const emailMessage = 'Please enter a valid email address.'
export const passwordMessage =
  'Password must be at least 8 characters, include upper & lower case, a number, and a symbol.'
export const newPasswordMessage =
  'New password must contain at least one capital letter, one number, one special character and be at least 8 characters long.'

// No characters with a meaning in mail headers: one address must never be read as two.
const emailPattern = /^[^\s\p{Cc}@<>()[\]\\,;:"]+@[^\s\p{Cc}@.<>()[\]\\,;:"]+(\.[^\s\p{Cc}@.<>()[\]\\,;:"]+)+$/u

export const isEmail = (address: string) => emailPattern.test(address)

export const Email = textLike(254, emailPattern, emailMessage)

/** Invisible characters, and the capital letters whose small ones the database and we do not agree on. */
const unclear = /[\p{Default_Ignorable_Code_Point}\u2800\u0130\u03a3]/u

/** Whether an address can identify a user. In another form of letters it could pass for the address of another user. */
export const isClearEmail = (address: string) =>
  isEmail(address) && address.normalize('NFKC') === address && !unclear.test(address)

/** An address that is given to a user. */
export const UserEmail = clearEmail()

const passwordPattern = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&\-_+=])[A-Za-z\d@$!%*?&\-_+=]{8,128}$/

/** The rule of the sign-in form. Every new password must meet it, or it could not be used to sign in. */
export const isPasswordAllowed = (password: string) => passwordPattern.test(password)

/** The password typed at sign-in. Only its length is checked here; the server compares it. */
export const Password = requiredPassword()

/** A password that is being set. */
export const NewPassword = newPassword()

// @__NO_SIDE_EFFECTS__
function clearEmail() {
  return Email.check(z.refine(isClearEmail, 'Please type this address: it contains hidden or unusual letters.'))
}

// @__NO_SIDE_EFFECTS__
function requiredPassword() {
  return text(128).check(z.minLength(1, 'This field is required.'))
}

// @__NO_SIDE_EFFECTS__
function newPassword() {
  return text(128).check(z.regex(passwordPattern, newPasswordMessage))
}

export const Otp = textLike(16, /^\d{6}$/, 'Please enter the six digits of the code.')

/** 'abcd-efgh-jkmn-pqrs', also in capitals or with other separators. */
const recoveryCodePattern = /^[a-z\d]{4}([ -]?[a-z\d]{4}){3}$/i
export const RecoveryCode = textLike(24, recoveryCodePattern, 'Please enter one of your recovery codes.')

/** Six digits, or a recovery code. */
export const SignInCode = textLike(
  24,
  /^(\d{6}|[a-z\d]{4}([ -]?[a-z\d]{4}){3})$/i,
  'Please enter the six digits of the code.',
)
export const RefreshToken = requiredText(512)
