import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { forbidden } from '#contract/errors.ts'
import { csvResponse } from './csv-response.ts'
import { registerErrorHandler } from './http-errors.ts'

const download = async (lines: AsyncIterable<string>) => {
  const app = Fastify()
  registerErrorHandler(app)
  app.get('/', (request, reply) => csvResponse('file.csv', lines).send(request, reply))
  const { statusCode, headers, body } = await app.inject({ url: '/' })
  await app.close()
  return { statusCode, type: headers['content-type'], disposition: headers['content-disposition'], body }
}

test('a file is sent line by line', async () => {
  async function* lines() {
    yield 'a,b\r\n'
    yield '1,2\r\n'
  }
  expect(await download(lines())).toEqual({
    statusCode: 200,
    type: 'text/csv; charset=utf-8',
    disposition: 'attachment; filename="file.csv"',
    body: 'a,b\r\n1,2\r\n',
  })
})

test('a download that fails before its first line returns the reason, not a file', async () => {
  // biome-ignore lint/correctness/useYield: it fails before
  async function* lines(): AsyncGenerator<string> {
    throw forbidden('You may not.')
  }
  const { statusCode, type, disposition, body } = await download(lines())
  expect({ statusCode, type, disposition }).toEqual({ statusCode: 403, type: 'application/json; charset=utf-8' })
  expect(JSON.parse(body)).toMatchObject({ message: 'You may not.' })
})
