import type pg from 'pg'
import { getLine, type Line, type LineTerminal, notYours } from '../service-lines/get-line.ts'

/** The line that the path names. The service line number in the body must match it. */
export const getRequestedLine = async (
  client: pg.PoolClient,
  tenantId: string,
  { nickname, sl }: { nickname: string; sl?: string },
): Promise<Line> => {
  const line = await getLine(client, tenantId, nickname)
  if (sl !== undefined && sl !== line.service_line_number) throw notYours()
  return line
}

/** A terminal of the line, by any of the vendor's names for it. */
export const getRequestedTerminal = ({ terminals }: Line, name: string): LineTerminal => {
  const terminal = terminals.find(
    ({ device_id, kit_serial, dish_serial }) => name === device_id || name === kit_serial || name === dish_serial,
  )
  if (!terminal) throw notYours()
  return terminal
}
