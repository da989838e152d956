import * as z from 'zod/mini'
import { api } from '#contract/api.ts'
import { ApiError } from '#contract/errors.ts'
import { buildRequest, encodeInput, readError } from '#contract/request.ts'
import type { Route, RouteInput, RouteOutput, RouteTable } from '#contract/route.ts'

type Api = typeof api

interface CallOptions {
  signal?: AbortSignal
  /** An idempotent call that is sent again with the same key is not executed again. */
  idempotencyKey?: string
}

/** Makes the input optional for calls without required input. */
type Arguments<Input> =
  Record<never, never> extends Input ? [input?: Input, options?: CallOptions] : [input: Input, options?: CallOptions]

type Calls<Table extends RouteTable> = {
  [Name in keyof Table]: (...given: Arguments<RouteInput<Table[Name]>>) => Promise<RouteOutput<Table[Name]>>
}

/** Every call of the API, by the names in its document: `client.terminals.details()`. */
export type Client = { [Table in keyof Api]: Calls<Api[Table]> }

interface ClientOptions {
  /** The URL of the portal: `https://portal.example.com`. */
  url: string
  /** An API token. */
  token: string
}

const unreadable = () =>
  new ApiError(502, 'unreadable', 'The response cannot be read. Is this the URL of a portal of the same version?')

/** The name that the server gives a file. */
const readFileName = ({ headers }: Response) =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? ''

const readBody = async ({ media }: Route, response: Response): Promise<unknown> => {
  if (media === 'application/pdf') return new File([await response.blob()], readFileName(response), { type: media })
  const text = await response.text()
  if (media !== undefined) return text
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable()
  }
}

/** Sends one call: encodes the input and decodes the output by the contract. Throws an `ApiError` on failure. */
const send = async <R extends Route>(
  { url, token }: ClientOptions,
  route: R,
  input: RouteInput<R>,
  { signal, idempotencyKey }: CallOptions = {},
): Promise<RouteOutput<R>> => {
  const { path, body } = buildRequest(route, encodeInput(route, input))
  const headers = new Headers({ accept: route.media ?? 'application/json', authorization: `Bearer ${token}` })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  const response = await fetch(new URL(`/api${path}`, url), { method: route.method, headers, body, signal })
  if (!response.ok) throw await readError(response)
  const decoded = z.safeDecode(route.output, await readBody(route, response))
  if (!decoded.success) throw unreadable()
  return decoded.data as RouteOutput<R>
}

export const createClient = (options: ClientOptions): Client => {
  const bind = (table: RouteTable) =>
    Object.fromEntries(
      Object.entries(table).map(([name, route]) => [
        name,
        (input: unknown = {}, more?: CallOptions) => send(options, route, input as never, more),
      ]),
    )
  return Object.fromEntries(Object.entries(api).map(([name, table]) => [name, bind(table)])) as unknown as Client
}
