const UNUSED_DAYS = 14

/** An initial password that is not used expires, because someone else chose it. */
export const initialPasswordExpiry = (now: Date) => {
  const expiry = new Date(now)
  expiry.setUTCDate(expiry.getUTCDate() + UNUSED_DAYS)
  return expiry
}
