const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** '3 days, 4 hours, 5 minutes'. */
export function uptimeText(seconds: number | null) {
  if (seconds === null) return 'N/A'
  const minutes = Math.floor(seconds / 60)
  return [
    counted(Math.floor(minutes / 1440), 'day'),
    counted(Math.floor(minutes / 60) % 24, 'hour'),
    counted(minutes % 60, 'minute'),
  ].join(', ')
}
