/** Formats times in the user's time zone. */
export type FormatMoment = (at: Date) => string
