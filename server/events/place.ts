/** The position of an event in the order: when it was noted, then its id. */
interface Place {
  notedAt: Date
  id: number
}

export const formatPlace = ({ notedAt, id }: Place) => `${notedAt.getTime()}-${id}`

export const parsePlace = (text: string): Place => {
  const [ms = '', id = ''] = text.split('-')
  return { notedAt: new Date(Number(ms)), id: Number(id) }
}
