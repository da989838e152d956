const UNUSED_DAYS = 14

/** An initial password that nobody uses stops working; it was chosen by somebody else. */
export const initialPasswordExpiry = (now: Date) => {
  const expiry = new Date(now)
  expiry.setUTCDate(expiry.getUTCDate() + UNUSED_DAYS)
  return expiry
}
