import type pg from 'pg'
import { forbidden } from '#contract/errors.ts'

/** The same error for a line of another group and an unknown line, so that names cannot be probed. */
export const notYours = () => forbidden('You are not authorized to view this terminal.')

/**
 * The line with the given number, nickname or kit number; this is also the order of precedence if several lines match.
 * Row-level security hides the lines of other groups.
 */
export const selectLineByName = (tenant = '$1', name = '$2') => `
    select line.* from (
      select id, 1 as choice from service_lines
      where tenant_id = ${tenant} and service_line_number = ${name} and removed_at is null
      union all
      select id, 2 from service_lines where tenant_id = ${tenant} and nickname = ${name} and removed_at is null
      union all
      select service_line_id, 3 from terminals where tenant_id = ${tenant} and kit_serial = ${name} and removed_at is null
    ) as found
    join service_lines as line on line.tenant_id = ${tenant} and line.id = found.id and line.removed_at is null
    order by found.choice, line.id
    limit 1`

export interface LineTerminal {
  id: number
  credential_id: number
  device_id: string
  kit_serial: string | null
  dish_serial: string | null
}

export interface Line {
  id: number
  credential_id: number
  service_line_number: string
  nickname: string
  custom_name: string | null
  public_ip: boolean
  opt_in_product_id: string | null
  terminals: LineTerminal[]
}

/** The line named in a path, with its terminals. */
export const getLine = async (client: pg.PoolClient, tenantId: string, name: string): Promise<Line> => {
  const { rows } = await client.query<Line>(
    `select line.id, line.credential_id, line.service_line_number, line.nickname, line.custom_name, line.public_ip,
       line.opt_in_product_id, array(
         select json_build_object('id', id, 'credential_id', credential_id, 'device_id', device_id,
           'kit_serial', kit_serial, 'dish_serial', dish_serial)
         from terminals
         where tenant_id = $1 and service_line_id = line.id and removed_at is null
         order by id) as terminals
     from (${selectLineByName()}) as line`,
    [tenantId, name],
  )
  if (!rows[0]) throw notYours()
  return rows[0]
}

export const getLineById = async (client: pg.PoolClient, tenantId: string, id: number): Promise<Line> => {
  const { rows } = await client.query<{ service_line_number: string }>(
    'select service_line_number from service_lines where tenant_id = $1 and id = $2 and removed_at is null',
    [tenantId, id],
  )
  if (!rows[0]) throw notYours()
  return getLine(client, tenantId, rows[0].service_line_number)
}

interface LockedLine {
  id: number
  service_line_number: string
  nickname: string
  custom_name: string | null
  metadata1: string | null
  metadata2: string | null
  metadata3: string | null
}

/** The line named in a path, locked until the transaction ends. */
export const lockLine = async (client: pg.PoolClient, tenantId: string, name: string): Promise<LockedLine> => {
  const { rows } = await client.query<LockedLine>(
    `select id, service_line_number, nickname, custom_name, metadata1, metadata2, metadata3
     from service_lines
     where tenant_id = $1 and removed_at is null and id = (select named.id from (${selectLineByName()}) as named)
     for update`,
    [tenantId, name],
  )
  if (!rows[0]) throw notYours()
  return rows[0]
}
