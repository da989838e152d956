/** The position of an event in the order: when it was noted, then its id. */
interface EventCursor {
  notedAt: Date
  id: number
}

export const formatCursor = ({ notedAt, id }: EventCursor) => `${notedAt.getTime()}-${id}`

export const parseCursor = (text: string): EventCursor => {
  const [ms = '', id = ''] = text.split('-')
  return { notedAt: new Date(Number(ms)), id: Number(id) }
}
