import * as z from 'zod/mini'
import { createClient } from '#client/client.ts'
import { api } from '#contract/api.ts'
import { ApiError } from '#contract/errors.ts'
import type { Route, RouteTable } from '#contract/route.ts'
import { CommandError, defineCommand, UsageError } from './command.ts'
import { createFile } from './create-file.ts'
import { describeIssues } from './describe-issues.ts'

const calls = new Map<string, Route>(
  Object.entries(api as Record<string, RouteTable>).flatMap(([table, routes]) =>
    Object.entries(routes)
      .filter(([, route]) => route.access !== 'public' && route.media !== 'text/event-stream')
      .map(([name, route]) => [`${table}.${name}`, route] as const),
  ),
)

const CallName = z
  .string()
  .check(z.refine((name) => calls.has(name), 'There is no such call; /api/docs lists them, such as terminals.list'))

const HttpUrl = z.url({ protocol: /^https?$/, error: 'Please give an address such as https://portal.example.com' })

const Token = z.string().check(z.regex(/^dsb_[\w-]+$/, 'This is not an API token; one begins with dsb_'))

const parseInput = (route: Route, text: string) => {
  let wire: unknown
  try {
    wire = JSON.parse(text)
  } catch {
    throw new UsageError('api: --input: this is not JSON')
  }
  const decoded = z.safeDecode(route.input, wire)
  if (decoded.success) return decoded.data
  throw new UsageError(`api: --input: ${describeIssues(decoded.error.issues)}`)
}

/** What the portal or the network says, for whoever writes a program. */
const explain = (error: unknown, url: string) => {
  if (error instanceof ApiError) return new CommandError(`${error.message} (${error.status} ${error.code})`)
  const { cause } = error as { cause?: NodeJS.ErrnoException }
  if (!(error instanceof TypeError && cause)) return error
  return new CommandError(`there is no connection to ${url}: ${cause.message || cause.code}`)
}

const writeResponse = async (path: string, response: Blob) => {
  await using target = await createFile(path)
  await target.write(await response.bytes())
}

export const apiCommand = defineCommand({
  name: 'api',
  summary: 'Make a call of the API of a running portal with an API token, and print the response',
  options: {
    call: { value: 'CALL', help: 'the call, by its name in /api/docs: terminals.list', schema: CallName },
    url: { value: 'URL', help: 'address of the portal', schema: HttpUrl },
    token: { value: 'T', help: 'the API token', schema: Token, isSecret: true },
    input: { value: 'JSON', help: 'what the call takes', schema: z.string(), isOptional: true },
    file: {
      value: 'FILE',
      help: 'the file to create with the response, which a PDF needs',
      schema: z.string(),
      isOptional: true,
    },
  },
  operand: 'call',
  run: async ({ call, url, token, input = '{}', file }, { print }) => {
    const { media } = calls.get(call) as Route
    if (media === 'application/pdf' && file === undefined)
      throw new UsageError(`api: ${call} returns a PDF; name the file to create with --file`)
    const given = parseInput(calls.get(call) as Route, input)
    const [table = '', name = ''] = call.split('.')
    const client = createClient({ url, token }) as unknown as Record<
      string,
      Record<string, (input: unknown) => Promise<unknown>>
    >
    const response = await client[table]?.[name]?.(given).catch((error) => {
      throw explain(error, url)
    })
    const content = typeof response === 'string' ? response : JSON.stringify(response, null, 2)
    if (file === undefined) print(content)
    else await writeResponse(file, response instanceof File ? response : new Blob([content]))
    return 0
  },
})
