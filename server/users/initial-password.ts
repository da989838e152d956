const UNUSED_DAYS = 14

/** An unused initial password expires, because someone else chose it. */
export const getInitialPasswordExpiry = (now: Date) => {
  const expiry = new Date(now)
  expiry.setUTCDate(expiry.getUTCDate() + UNUSED_DAYS)
  return expiry
}
