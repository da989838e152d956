import { expect, test } from 'vitest'
import { readEvents } from './event-stream.ts'

const createStream = (chunks: Uint8Array[]) =>
  new ReadableStream<BufferSource>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Uint8Array.from(chunk))
      controller.close()
    },
  })

const listEvents = (text: string) => Array.fromAsync(readEvents(createStream([new TextEncoder().encode(text)])))

test('joins events across chunk borders, also inside a multi-byte character', async () => {
  const bytes = new TextEncoder().encode('data: Utqiaġvik\n\ndata: two\n\n')
  const stream = createStream(Array.from(bytes, (byte) => Uint8Array.of(byte)))
  expect(await Array.fromAsync(readEvents(stream))).toEqual(['Utqiaġvik', 'two'])
})

test('returns the data only: no comments, names or ids', async () => {
  expect(await listEvents(': beat\n\nid: 7\nevent: x\ndata: {"a":1}\n\n')).toEqual(['{"a":1}'])
})

test('drops an event that was not finished', async () => {
  expect(await listEvents('data: whole\n\ndata: half')).toEqual(['whole'])
})

test('cancels the body when the reader stops early', async () => {
  let isCanceled = false
  const stream = new ReadableStream<BufferSource>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: one\n\n')),
    cancel: () => {
      isCanceled = true
    },
  })
  for await (const event of readEvents(stream)) {
    expect(event).toBe('one')
    break
  }
  expect(isCanceled).toBe(true)
})
