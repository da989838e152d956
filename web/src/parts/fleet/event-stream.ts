/**
 * Reads server-sent events from a fetched body. EventSource cannot carry the bearer header, and a token has no place in
 * an address.
 */
export async function* readEvents(body: ReadableStream<BufferSource>): AsyncGenerator<string> {
  let rest = ''
  let data: string[] = []
  for await (const chunk of chunksOf(body.pipeThrough(new TextDecoderStream()))) {
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      if (line !== '' || data.length === 0) continue
      yield data.join('\n')
      data = []
    }
  }
}

// Safari cannot iterate a stream.
async function* chunksOf(stream: ReadableStream<string>) {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
