interface Line {
  pool_id: number | null
  pool_name: string | null
  group_name: string
  product_name: string | null
  price_cents: number | null
}

/** Lines without a pool form one plan if they have the same customer, product and price. */
export const getPlanKey = (line: Line) =>
  line.pool_id === null
    ? JSON.stringify([line.group_name, line.product_name, line.price_cents])
    : `pool ${line.pool_id}`

export const getPlanName = (line: Line) =>
  line.pool_name ?? `${line.group_name.toUpperCase()}-${line.product_name ?? 'Without a product'}`
