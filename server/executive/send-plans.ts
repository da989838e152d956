import type * as z from 'zod/mini'
import type { executive, Plan } from '#contract/executive.ts'
import { chooseEncoding, compress } from '../platform/http/large-body.ts'
import { RawResponse } from '../platform/http/mount.ts'

type Wire = z.input<typeof executive.summary.output>

/** As the contract would encode them: for 10,000 lines, that takes longer than building the text. */
export const sendPlans = (plans: readonly Plan[]) =>
  new RawResponse(async (request, reply) => {
    const wire: Wire = { plans: [...plans] }
    const lineCount = plans.reduce((count, { service_lines }) => count + service_lines.length, 0)
    const encoding = chooseEncoding(request.headers['accept-encoding'], lineCount)
    const body = await compress[encoding](Buffer.from(JSON.stringify(wire)))
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply
      .type('application/json; charset=utf-8')
      .header('vary', 'authorization, accept-encoding, x-tenant')
      .send(body)
  })
