import { type RequestOptions, request } from 'node:https'

interface Call {
  port: number
  host: string
  path: string
  headers?: Record<string, string>
}

// The certificates are created for this run; the test is about which hosts get one.
const open = ({ port, host, path, headers = {} }: Call) => {
  const options: RequestOptions = {
    host: '127.0.0.1',
    port,
    path,
    servername: host,
    rejectUnauthorized: false,
    agent: false,
    headers: { host, ...headers },
  }
  return request(options)
}

/** The status of a request, or the error code if the connection failed. */
export const getStatus = (call: Call) =>
  new Promise<number | string>((resolve) => {
    const sending = open(call)
    sending.on('response', (response) => resolve(response.resume().statusCode as number))
    sending.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sending.end()
  })

/** Opens an endless stream; returns its first bytes, and closes it. */
export const readFirstBytes = (call: Call) =>
  new Promise<string>((resolve, reject) => {
    const sending = open(call)
    sending.on('response', (response) =>
      response.once('data', (chunk: Buffer) => {
        resolve(`${response.statusCode} ${chunk.toString()}`)
        sending.destroy()
      }),
    )
    sending.on('error', reject)
    sending.end()
  })
