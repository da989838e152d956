import { EventSourceParserStream } from 'eventsource-parser/stream'

/**
 * Reads the data of server-sent events from a fetched body. EventSource cannot send the bearer header, and a token must
 * not be part of a URL.
 */
export async function* readEvents(body: ReadableStream<BufferSource>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()).getReader()
  // Safari cannot iterate a stream.
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value.data
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
