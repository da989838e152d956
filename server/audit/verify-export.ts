import type { Json } from '../platform/database/schema.ts'
import { type Anchor, isSignedBy, parseAnchor } from './anchors.ts'
import { hashLink, NO_HASH } from './chain.ts'
import { computeKeyId } from './keys.ts'
import { NameCheck } from './name-check.ts'

export interface VerifiedExport {
  tenant: string
  entries: number
  /** The last signed entry, when it was signed, and with which key. */
  signed: { seq: number; at: Date; keyId: string } | undefined
  fault: string | undefined
}

const parseLine = (text: string, number: number): Record<string, unknown> => {
  try {
    const line: unknown = JSON.parse(text)
    if (typeof line === 'object' && line !== null) return line as Record<string, unknown>
  } catch {}
  throw new Error(`Line ${number} is not an object of JSON.`)
}

const readKeys = (header: Record<string, unknown>) => {
  const listed = Array.isArray(header.publicKeys) ? (header.publicKeys as { publicKey?: unknown }[]) : []
  const keys = listed.map(({ publicKey }) => String(publicKey))
  // The id is computed from the key itself, so that a file cannot claim another key's id.
  return new Map(keys.map((publicKey) => [computeKeyId(publicKey), publicKey]))
}

const readPersonKeys = ({ personKeys }: Record<string, unknown>) =>
  new Map(Object.entries(personKeys ?? {}).map(([id, key]) => [Number(id), Buffer.from(String(key), 'base64')]))

const toLink = (tenant: string, line: Record<string, unknown>) => ({
  tenant_id: tenant,
  seq: Number(line.entry),
  at: new Date(String(line.at)),
  performer: String(line.performer),
  action: String(line.action),
  performee: String(line.performee),
  details: line.details as Json,
})

const checkAnchor = (
  anchor: Anchor,
  tenant: string,
  last: { seq: number; hash: Buffer },
  keys: Map<string, string>,
) => {
  const publicKey = keys.get(anchor.keyId)
  if (anchor.tenantId !== tenant || !publicKey || !isSignedBy(publicKey, anchor))
    return `The signature of entry ${anchor.seq} is wrong.`
  if (anchor.seq !== last.seq) return `Entry ${anchor.seq} was signed, but the file has entry ${last.seq} there.`
  return anchor.hash.equals(last.hash) ? undefined : `Entry ${anchor.seq} is not the one that was signed.`
}

/**
 * Verifies an export without the database and without a secret. With `keyId`, only signatures of that key count; without
 * it, anyone could have signed the file, and the reader must compare the id.
 */
export const verifyExport = async (lines: AsyncIterable<string>, keyId?: string): Promise<VerifiedExport> => {
  const result: VerifiedExport = { tenant: '', entries: 0, signed: undefined, fault: undefined }
  let keys = new Map<string, string>()
  let last = { seq: 0, hash: NO_HASH as Buffer }
  let names = new NameCheck()
  let number = 0
  const read = (text: string): string | undefined => {
    const line = parseLine(text, number)
    if (number === 1) {
      if (line.format !== 'dishboard-audit/1') return 'This is not an export of an editing log.'
      result.tenant = String(line.tenant)
      keys = readKeys(line)
      names = new NameCheck(readPersonKeys(line))
      return undefined
    }
    const anchor = parseAnchor(line)
    if (anchor) {
      const fault = checkAnchor(anchor, result.tenant, last, keys)
      const counts = !keyId || keyId === anchor.keyId
      if (!fault && counts) result.signed = { seq: anchor.seq, at: anchor.at, keyId: anchor.keyId }
      return fault
    }
    const link = toLink(result.tenant, line)
    if (link.seq !== last.seq + 1) return `Entry ${last.seq + 1} is missing.`
    const hash = hashLink(last.hash, link)
    if (hash.toString('hex') !== line.hash)
      return `Entry ${link.seq} was changed, or does not follow the entry before it.`
    last = { seq: link.seq, hash }
    return names.read(link)
  }
  for await (const text of lines) {
    number++
    result.fault = read(text)
    if (result.fault) break
  }
  result.entries = last.seq
  result.fault ??= names.findUnexplained()?.problem
  const signedSeq = result.signed?.seq ?? 0
  if (!result.fault && (last.seq === 0 || signedSeq < last.seq))
    result.fault = `No ${keyId ? 'signature of this key' : 'signature'} covers entry ${signedSeq + 1} and those after it.`
  return result
}
