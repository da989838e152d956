import { afterEach, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../webhooks/testing/receiver.ts'
import { AddressRefused, createOutboundClient, type Resolve } from './outbound-request.ts'

const receivers: Receiver[] = []
const listen = async (host?: string) => {
  const receiver = await startReceiver(host)
  receivers.push(receiver)
  return receiver
}
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})

const limits = { timeoutMs: 10_000, maxResponseBytes: 4_096 }
const toAnswer = (address: string) => [{ address, family: address.includes(':') ? 6 : 4 }]

test('a name that leads to this machine is refused before anything is sent', async () => {
  const receiver = await listen()
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '169.254.169.254']) {
    const client = createOutboundClient({ allowedNetworks: [], ...limits, resolve: async () => toAnswer(address) })
    const sent = client.post('https://hooks.example:8443/', {}, '{}')
    await expect(sent).rejects.toThrow(new AddressRefused('The address is not on the public internet.'))
  }
  expect(receiver.received).toEqual([])
})

test('one private address among public ones is enough to refuse', async () => {
  const resolve: Resolve = async () => [...toAnswer('93.184.215.14'), ...toAnswer('10.0.0.1')]
  const client = createOutboundClient({ allowedNetworks: [], ...limits, resolve })
  await expect(client.post('https://hooks.example/', {}, '{}')).rejects.toThrow(AddressRefused)
})

test('a name that resolves differently the next time gains nothing: each request resolves once and uses that address', async () => {
  // 127.0.0.2 stands for the internet, 127.0.0.1 for this machine.
  const inside = await listen('127.0.0.1')
  const answers = ['127.0.0.2', '127.0.0.1']
  const asked: string[] = []
  const resolve: Resolve = async (name) => {
    asked.push(name)
    return toAnswer(answers.shift() as string)
  }
  const client = createOutboundClient({ allowedNetworks: ['127.0.0.2/32'], ...limits, resolve })
  const url = `http://rebinding.example:${inside.port}/`
  // Nothing listens there, so the error shows which address was used.
  await expect(client.post(url, {}, '{}')).rejects.toMatchObject({ code: 'ECONNREFUSED', address: '127.0.0.2' })
  expect(asked).toHaveLength(1)
  await expect(client.post(url, {}, '{}')).rejects.toThrow(AddressRefused)
  expect(asked).toHaveLength(2)
  expect(inside.received).toEqual([])
})

test('an allowed network may be called by HTTP at any port; beside it the usual rules hold', async () => {
  const receiver = await listen()
  const client = createOutboundClient({ allowedNetworks: ['127.0.0.0/8'], ...limits })
  expect(await client.post(receiver.url, { 'x-test': '1' }, '{"a":1}')).toMatchObject({ status: 204, body: '' })
  expect(receiver.received).toMatchObject([{ body: '{"a":1}', headers: { 'x-test': '1', 'content-length': '7' } }])
  const elsewhere = createOutboundClient({
    allowedNetworks: ['127.0.0.0/8'],
    ...limits,
    resolve: async () => toAnswer('93.184.215.14'),
  })
  await expect(elsewhere.post('http://hooks.example/', {}, '{}')).rejects.toThrow('https://')
})

test('a wide network that the operator allows does not include cloud metadata', async () => {
  for (const address of ['169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254', '100.100.100.200']) {
    const allowedNetworks = ['0.0.0.0/0', '::/0']
    const client = createOutboundClient({ allowedNetworks, ...limits, resolve: async () => toAnswer(address) })
    await expect(client.post('http://metadata.example/', {}, '{}'), address).rejects.toThrow(AddressRefused)
  }
})

test('a redirect is not followed', async () => {
  const [first, second] = [await listen(), await listen()]
  first.next.push({ status: 307, headers: { location: second.url } })
  const client = createOutboundClient({ allowedNetworks: ['127.0.0.0/8'], ...limits })
  expect((await client.post(first.url, {}, '{}')).status).toBe(307)
  expect(second.received).toEqual([])
})

test('a long response is cut off, and one that does not come ends', async () => {
  const receiver = await listen()
  receiver.next.push({ status: 200, body: 'x'.repeat(1_000_000) })
  const client = createOutboundClient({ allowedNetworks: ['127.0.0.0/8'], ...limits })
  expect((await client.post(receiver.url, {}, '{}')).body).toHaveLength(4_096)
  const hasty = createOutboundClient({
    allowedNetworks: ['127.0.0.0/8'],
    timeoutMs: 50,
    maxResponseBytes: 10,
    resolve: () => new Promise(() => {}),
  })
  await expect(hasty.post('http://silent.example/', {}, '{}')).rejects.toThrow('no response within 0.05 seconds')
})
