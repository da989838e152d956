import type { executive } from '#contract/executive.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { createMonthsHandler } from './months-handler.ts'
import { renderMonthsPdf } from './months-pdf.ts'
import { listPlans } from './queries.ts'
import { sendPlans } from './send-plans.ts'

/** Each server has its own cache of months. */
export const createExecutiveHandlers = (): Handlers<typeof executive> => ({
  summary: async (context) => sendPlans(await listPlans(context, undefined)),
  accountGroup: async (context, { group }) => sendPlans(await listPlans(context, group)),
  months: createMonthsHandler(),
  monthsPdf: renderMonthsPdf,
})
