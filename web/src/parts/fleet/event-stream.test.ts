import { expect, test } from 'vitest'
import { readEvents } from './event-stream.ts'

const streamOf = (...chunks: string[]) =>
  new ReadableStream<BufferSource>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })

const eventsOf = (...chunks: string[]) => Array.fromAsync(readEvents(streamOf(...chunks)))

test('events are put together over the borders of chunks, in the middle of a letter too', async () => {
  const bytes = new TextEncoder().encode('data: Utqiaġvik\n\ndata: two\n\n')
  const stream = new ReadableStream<BufferSource>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  expect(await Array.fromAsync(readEvents(stream))).toEqual(['Utqiaġvik', 'two'])
})

test('comments, names and ids are passed over', async () => {
  expect(await eventsOf(': beat\n\nid: 7\nevent: x\ndata: {"a":1}\n\n')).toEqual(['{"a":1}'])
})

test('several data lines make one event, Windows line ends are understood', async () => {
  expect(await eventsOf('data: a\r\ndata:b\r\n\r\n')).toEqual(['a\nb'])
})

test('an event that was not finished is not told', async () => {
  expect(await eventsOf('data: whole\n\ndata: half')).toEqual(['whole'])
})
