import { extname } from 'node:path'

/** Reads one of our own images by its URL path. */
export type ReadImage = (address: string) => Promise<Buffer | undefined>

const OWN_IMAGE = /(<img [^>]*src=")(\/[^"]+)(")/g

/** A mail has no host to load our images from, so they are embedded. A missing image falls back to its alt text. */
export const embedImages = async (html: string, readImage: ReadImage) => {
  const addresses = new Set([...html.matchAll(OWN_IMAGE)].map((match) => match[2] as string))
  const attachments: { filename: string; content: Buffer; cid: string; contentDisposition: 'inline' }[] = []
  const contentIds = new Map<string, string>()
  for (const address of addresses) {
    const content = await readImage(address)
    if (!content) continue
    const cid = `image-${contentIds.size + 1}@dishboard`
    contentIds.set(address, cid)
    attachments.push({
      filename: `image-${contentIds.size}${extname(address)}`,
      content,
      cid,
      contentDisposition: 'inline',
    })
  }
  const embedded = html.replace(OWN_IMAGE, (whole, before: string, address: string, after: string) => {
    const cid = contentIds.get(address)
    return cid === undefined ? whole : `${before}cid:${cid}${after}`
  })
  return { html: embedded, attachments }
}
