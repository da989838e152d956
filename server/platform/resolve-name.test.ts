import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createResolver, findInHosts, findSearchDomains } from './resolve-name.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dishboard-hosts-'))
})
afterAll(() => rm(folder, { recursive: true }))

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close()
})

const A = 1
const HEADER_BYTES = 12

/** The end of the question: its name ends with a zero byte, and type and class follow. */
const findQuestionEnd = (query: Buffer) => query.indexOf(0, HEADER_BYTES) + 5

/** An answer with one IPv4 address, or that there is none. */
const buildAnswer = (query: Buffer, address: string | undefined) => {
  const end = findQuestionEnd(query)
  const header = Buffer.from(query.subarray(0, HEADER_BYTES))
  const isFound = address !== undefined && query.readUInt16BE(end - 4) === A
  header.writeUInt16BE(address === undefined ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(isFound ? 1 : 0, 6)
  header.fill(0, 8)
  const record = Buffer.from([0xc0, 0x0c, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...(address ?? '').split('.').map(Number)])
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...(isFound ? [record] : [])])
}

/** A real name server on loopback. Without addresses it never answers. */
const serveNames = async (addresses?: Record<string, string>) => {
  const socket = createSocket('udp4')
  sockets.push(socket)
  socket.on('message', (query, { port, address }) => {
    if (!addresses) return
    const name = query
      .subarray(HEADER_BYTES + 1, findQuestionEnd(query) - 5)
      .toString('latin1')
      .replace(/[^\w-]/g, '.')
    socket.send(buildAnswer(query, addresses[name.toLowerCase()]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${socket.address().port}` }
}

let written = 0
/** Under a name of its own, because files are cached. */
const write = async (text: string) => {
  const file = join(folder, `file ${++written}`)
  await writeFile(file, text)
  return file
}

test('a name is resolved by the hosts file, and else by a query', async () => {
  const hostsFile = await write('10.0.0.7 Inside.example other # inside.example\n')
  const { server } = await serveNames({ 'hooks.example': '192.0.2.7', 'inside.example': '192.0.2.8' })
  const resolve = createResolver({ allowsShortNames: false, hostsFile, servers: [server] })
  expect(await resolve('hooks.example')).toEqual([{ address: '192.0.2.7', family: 4 }])
  expect(await resolve('inside.example')).toEqual([{ address: '10.0.0.7', family: 4 }])
  await expect(resolve('nowhere.example')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  expect(findInHosts('::1 localhost ip6\n127.0.0.1\tlocalhost\n#127.0.0.2 localhost', 'localhost')).toEqual([
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ])
})

test('names whose servers never answer end, however many there are', async () => {
  const { server } = await serveNames()
  const hostsFile = await write('')
  const resolve = createResolver({ allowsShortNames: false, hostsFile, servers: [server], timeoutMs: 100 })
  const names = Array.from({ length: 50 }, (_, at) => `silent${at}.example`)
  const results = names.map((name) => resolve(name).catch(({ code }: { code: string }) => code))
  expect(new Set(await Promise.all(results))).toEqual(new Set(['ETIMEOUT']))
})

test('a name without a dot is searched in the domains of the machine by queries, and only if that is allowed', async () => {
  const hostsFile = await write('10.0.0.7 inside\n')
  const searchFile = await write('domain old.example\nnameserver 192.0.2.1\nsearch first.example. second.example\n')
  const { server } = await serveNames({ 'hooks.second.example': '192.0.2.7', bare: '192.0.2.8' })
  const resolve = createResolver({ allowsShortNames: true, hostsFile, searchFile, servers: [server] })
  expect(await resolve('inside')).toEqual([{ address: '10.0.0.7', family: 4 }])
  expect(await resolve('hooks')).toEqual([{ address: '192.0.2.7', family: 4 }])
  expect(await resolve('bare')).toEqual([{ address: '192.0.2.8', family: 4 }])
  await expect(resolve('nowhere')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  const strict = createResolver({ allowsShortNames: false, hostsFile, searchFile, servers: [server] })
  await expect(strict('hooks')).rejects.toMatchObject({ code: 'ENOTFOUND' })
  expect(findSearchDomains('search a.example\nsearch b.example c.example\n')).toEqual(['b.example', 'c.example'])
  expect(findSearchDomains('nameserver 192.0.2.1\n')).toEqual([])
})

test('the hosts file is not read again for each request', async () => {
  const hostsFile = await write('10.0.0.7 inside.example\n')
  const resolve = () => createResolver({ allowsShortNames: false, hostsFile, servers: [] })('inside.example')
  expect(await resolve()).toEqual([{ address: '10.0.0.7', family: 4 }])
  await writeFile(hostsFile, '')
  expect(await resolve()).toEqual([{ address: '10.0.0.7', family: 4 }])
})
