import { Readable } from 'node:stream'
import { RawResponse } from './mount.ts'

/** A download that is streamed while it is written, so that any length takes little memory. */
export const csvResponse = (fileName: string, lines: AsyncIterable<string>) =>
  new RawResponse((_, reply) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(lines)),
  )
