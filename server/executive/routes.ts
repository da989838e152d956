import type { executive } from '#contract/executive.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { createMonthsHandler } from './months-handler.ts'
import { renderMonthsPdf } from './months-pdf.ts'
import { listPlans } from './queries.ts'

/** Each server has its own cache of months. */
export const createExecutiveHandlers = (): Handlers<typeof executive> => ({
  summary: async (context) => ({ plans: await context.transaction((db) => listPlans(db, context.tenantId)) }),
  accountGroup: async (context, { group }) => ({
    plans: await context.transaction((db) => listPlans(db, context.tenantId, group)),
  }),
  months: createMonthsHandler(),
  monthsPdf: renderMonthsPdf,
})
