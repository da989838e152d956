import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type PdfDocument, renderDocument } from './pdf-document.ts'
import { type ExecutiveDocument, renderExecutive } from './pdf-executive.ts'

export type PdfResult = { bytes: Uint8Array } | { error: string }

const LOWER_BY = 5
const LOWEST = 19

// Reports are less urgent than requests. On Linux this applies to the calling thread, elsewhere to the whole
// process.
if (process.platform === 'linux') setPriority(Math.min(LOWEST, getPriority() + LOWER_BY))

parentPort?.on('message', async (document: PdfDocument | ExecutiveDocument) => {
  const rendered = 'months' in document ? renderExecutive(document) : renderDocument(document)
  const result: PdfResult = await rendered.then(
    (bytes) => ({ bytes }),
    (error: Error) => ({ error: error.message }),
  )
  parentPort?.postMessage(result)
})
