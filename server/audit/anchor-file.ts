import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Anchor, formatAnchor, parseAnchor } from './anchors.ts'

// Tenant ids contain only letters, digits, '-' and '_'.
const getPath = (dataDir: string, tenantId: string) => join(dataDir, 'audit-anchors', `${tenantId}.jsonl`)

const NEWLINE = 0x0a

/** Whether the last line is incomplete, as a crash or a full disk leaves it. */
const isCutOff = async (file: FileHandle) => {
  const { size } = await file.stat()
  if (size === 0) return false
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== NEWLINE
}

/** Appends a line to the tenant's anchor file, and returns once it is on disk. */
const appendLine = async (dataDir: string, tenantId: string, line: string) => {
  await mkdir(join(dataDir, 'audit-anchors'), { recursive: true, mode: 0o700 })
  const file = await open(getPath(dataDir, tenantId), 'a+', 0o600)
  try {
    await file.appendFile(`${(await isCutOff(file)) ? '\n' : ''}${line}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

export const appendAnchor = (dataDir: string, anchor: Anchor) =>
  appendLine(dataDir, anchor.tenantId, formatAnchor(anchor))

/** Invalidates the earlier anchors, because an older state was restored. */
export const appendRestart = (dataDir: string, tenantId: string, now: Date) =>
  appendLine(dataDir, tenantId, JSON.stringify({ restart: now.toISOString() }))

const parseLine = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    // It was cut off. The next anchor covers the same entries.
    return {}
  }
}

/** The anchors that this machine wrote for a tenant; none if it runs no background work. */
export const readAnchorFile = async (dataDir: string, tenantId: string): Promise<Anchor[]> => {
  const file = await open(getPath(dataDir, tenantId)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return []
  let anchors: Anchor[] = []
  for await (const text of createInterface({ input: file.createReadStream() })) {
    const line = parseLine(text)
    if ('restart' in line) anchors = []
    const anchor = parseAnchor(line)
    if (anchor) anchors.push(anchor)
  }
  return anchors
}
