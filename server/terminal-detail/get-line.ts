import type pg from 'pg'
import { forbidden } from '#contract/errors.ts'
import type { Context } from '../context.ts'
import type { Scope } from '../db.ts'

/** The same for a line of others and for one that does not exist. */
export const notYours = () => forbidden('You are not authorized to view this terminal.')

/** What a person may see: an administrator every line of the tenant, others those of their group. */
export const scopeOf = ({ tenantId, person }: Context): Scope => ({
  tenantId,
  group: person.role === 'admin' ? undefined : person.group,
})

/**
 * The line of tenant $1 that goes by $2: its number, nickname or kit number, in this order where one name fits several.
 * Row security leaves out the lines of other groups, so theirs are not found.
 */
export const lineNamed = `
    select line.* from (
      select id, 1 as choice from service_lines
      where tenant_id = $1 and service_line_number = $2 and removed_at is null
      union all
      select id, 2 from service_lines where tenant_id = $1 and nickname = $2 and removed_at is null
      union all
      select service_line_id, 3 from terminals where tenant_id = $1 and kit_serial = $2 and removed_at is null
      order by choice, id
      limit 1
    ) as found
    join service_lines as line on line.tenant_id = $1 and line.id = found.id and line.removed_at is null`

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

/** The line a path names, with its terminals. */
export const getLine = async (client: pg.PoolClient, tenantId: string, name: string): Promise<Line> => {
  const { rows } = await client.query<Line>(
    `select line.id, line.credential_id, line.service_line_number, line.nickname, line.custom_name, line.public_ip,
       line.opt_in_product_id, array(
         select json_build_object('id', id, 'credential_id', credential_id, 'device_id', device_id,
           'kit_serial', kit_serial, 'dish_serial', dish_serial)
         from terminals
         where tenant_id = $1 and service_line_id = line.id and removed_at is null
         order by id) as terminals
     from (${lineNamed}) as line`,
    [tenantId, name],
  )
  if (!rows[0]) throw notYours()
  return rows[0]
}

/** Who tells of the line a path names. Prepared once per connection. */
export const listLineTerminals = async (client: pg.PoolClient, tenantId: string, name: string) => {
  const { rows } = await client.query<Pick<LineTerminal, 'id' | 'credential_id'>>({
    name: 'line-terminals',
    text: `
      select terminal.id, terminal.credential_id
      from (${lineNamed}) as line
      join terminals as terminal on terminal.tenant_id = $1 and terminal.service_line_id = line.id
        and terminal.removed_at is null`,
    values: [tenantId, name],
  })
  return rows
}
