import type { SealedColumn } from '../platform/sealed-columns.ts'
import type { Secrets } from '../platform/secrets.ts'

interface Body {
  text: string
  html: string | null
}

/** Binds a body to its row, so that it cannot be decrypted in another. */
const buildPurpose = (tenantId: string, id: string) => `message:${tenantId}:${id}`

export const sealedMessageBody: SealedColumn = {
  table: 'messages',
  column: 'sealed_body',
  idColumn: 'id',
  buildPurpose,
}

export const sealBody = ({ seal }: Secrets, tenantId: string, id: string, { text, html }: Body) =>
  seal(JSON.stringify({ text, html }), buildPurpose(tenantId, id))

/** The body of a message; undefined if it is sealed and the key does not decrypt it. */
export const openBody = <Row extends Body & { id: string; sealed_body: Buffer | null }>(
  { open }: Secrets,
  tenantId: string,
  row: Row,
): Row | undefined => {
  if (row.sealed_body === null) return row
  try {
    return { ...row, ...(JSON.parse(open(row.sealed_body, buildPurpose(tenantId, row.id))) as Body) }
  } catch {
    return undefined
  }
}
