import { Worker } from 'node:worker_threads'
import { tooMany } from '#contract/errors.ts'
import type { MailBrand } from '../messages/mail-brand.ts'
import type { PdfDocument } from './pdf-document.ts'
import type { ExecutiveDocument } from './pdf-executive.ts'
import type { PdfResult } from './pdf-thread.ts'
import type { StoredReport } from './stored-reports.ts'

const MAX_WAITING = 20
/** Of one tenant, so that the others have a turn too. */
export const MAX_WAITING_OF_TENANT = 5
const RETRY_AFTER_S = 10
const LONGEST_RENDERING_MS = 60_000
/** The libraries take a hundred megabytes, which are freed between reports. */
const IDLE_FOR_MS = 60_000
const MAX_MEMORY_MB = 512

const startThread = () => {
  const worker = new Worker(new URL('./pdf-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    // In other modes, React checks every element it creates.
    env: { NODE_ENV: 'production' },
  })
  let hasEnded = false
  let settle = (_result: PdfResult) => {}
  worker.unref()
  worker.on('message', (result: PdfResult) => settle(result))
  worker.on('error', (error) => settle({ error: error.message }))
  worker.on('exit', () => {
    hasEnded = true
    settle({ error: 'The thread that renders reports has ended.' })
  })
  let idleTimer: NodeJS.Timeout | undefined
  return {
    hasEnded: () => hasEnded,
    render: async (document: PdfDocument | ExecutiveDocument) => {
      clearTimeout(idleTimer)
      const deadline = setTimeout(() => void worker.terminate(), LONGEST_RENDERING_MS)
      worker.ref()
      const result = await new Promise<PdfResult>((resolve) => {
        settle = resolve
        worker.postMessage(document)
      })
      clearTimeout(deadline)
      worker.unref()
      idleTimer = setTimeout(() => void worker.terminate(), IDLE_FOR_MS).unref()
      if ('error' in result) throw new Error(`A report could not be rendered: ${result.error}`)
      return Buffer.from(result.bytes)
    },
  }
}

/** Renders one document at a time in a thread, so that requests are never blocked. */
const createRenderer = () => {
  let thread: ReturnType<typeof startThread> | undefined
  let last: Promise<unknown> = Promise.resolve()
  const waiting: string[] = []
  return async (tenantId: string, document: PdfDocument | ExecutiveDocument) => {
    if (waiting.length >= MAX_WAITING || waiting.filter((id) => id === tenantId).length >= MAX_WAITING_OF_TENANT)
      throw tooMany(RETRY_AFTER_S, (wait) => `Other reports are being made. Please try again in ${wait}.`)
    waiting.push(tenantId)
    const rendered = last.then(() => {
      if (!thread || thread.hasEnded()) thread = startThread()
      return thread.render(document)
    })
    last = rendered.catch(() => {})
    return rendered.finally(() => waiting.splice(waiting.indexOf(tenantId), 1))
  }
}

const renderInThread = createRenderer()

export type RenderPdf = (tenantId: string, document: Omit<StoredReport, 'id'> & { brand: MailBrand }) => Promise<Buffer>

/** Renders reports with the tenant's logo, if we host the image. */
export const createRenderPdf =
  (readImage: (address: string) => Promise<Buffer | undefined>): RenderPdf =>
  async (tenantId, { brand, name, report }) => {
    const logo = brand.logo === undefined ? undefined : await readImage(brand.logo)
    return renderInThread(tenantId, { brand, name, report, logo })
  }

/** The same for the executive view of a month. */
export const renderExecutivePdf = async (
  readImage: (address: string) => Promise<Buffer | undefined>,
  tenantId: string,
  document: Omit<ExecutiveDocument, 'logo'>,
) => {
  const { logo } = document.brand
  return renderInThread(tenantId, { ...document, logo: logo === undefined ? undefined : await readImage(logo) })
}
