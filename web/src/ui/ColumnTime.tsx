interface ColumnTimeProps {
  at: Date
  /** The time as the user reads it. */
  children: string
}

/** Of a column with times to the second. */
export const exactTimeWidthPx = 240

/** A time in a column, with figures of the same width. */
export const ColumnTime = ({ at, children }: ColumnTimeProps) => <time dateTime={at.toISOString()}>{children}</time>
