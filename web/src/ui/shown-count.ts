/** '12', or '3 of 12' while a search hides some. */
export const formatShownCount = (shown: number, total: number) =>
  shown === total
    ? total.toLocaleString('en-US')
    : `${shown.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`
