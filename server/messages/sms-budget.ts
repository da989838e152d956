import { sql } from 'kysely'
import { formatCount } from '#contract/format/numbers.ts'
import type { Db } from '../platform/database/database.ts'
import { listAdministratorEmails } from './administrators.ts'
import { queueBrandedMail } from './queue-branded-mail.ts'

const toMonth = (now: Date) => `${now.toISOString().slice(0, 7)}-01`

const DEFAULT_BUDGET = 1000

/** The number of texts sent this month (UTC), and the tenant's monthly limit. */
export const getSmsBudget = async (db: Db, tenantId: string, now: Date) => {
  const settings = await db
    .selectFrom('tenant_settings')
    .select('sms_monthly_budget')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  const month = await db
    .selectFrom('sms_months')
    .select('texts')
    .where('tenant_id', '=', tenantId)
    .where('month', '=', toMonth(now))
    .executeTakeFirst()
  return { texts: month?.texts ?? 0, budget: settings?.sms_monthly_budget ?? DEFAULT_BUDGET }
}

const mailAdministrators = async (db: Db, tenantId: string, budget: number) => {
  const recipients = await listAdministratorEmails(db, tenantId)
  await queueBrandedMail(db, tenantId, recipients, ({ company }) => ({
    subject: `The SMS budget of ${company} is used up for this month`,
    paragraphs: [
      `${formatCount(budget)} texts were sent this month (UTC), which is all that the budget allows. Further texts are not sent until the next month begins. Mail is not affected.`,
      'The operator of this installation can raise the budget. The page Deliveries lists what was not sent.',
    ],
  }))
}

/**
 * Counts a text against the monthly budget before it is sent. Returns why it may not be sent, or undefined. The count is
 * one statement, so that concurrent workers cannot exceed the budget.
 */
export const spendSmsBudget = async (db: Db, tenantId: string, now: Date): Promise<string | undefined> => {
  const month = toMonth(now)
  const { budget } = await getSmsBudget(db, tenantId, now)
  await db
    .insertInto('sms_months')
    .values({ tenant_id: tenantId, month })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const isThisMonth = sql<boolean>`tenant_id = ${tenantId} and month = ${month}`
  const spent = await db
    .updateTable('sms_months')
    .set((eb) => ({ texts: eb('texts', '+', 1) }))
    .where(isThisMonth)
    .where('texts', '<', budget)
    .executeTakeFirst()
  if (spent.numUpdatedRows > 0n) return undefined
  const first = await db
    .updateTable('sms_months')
    .set({ exhausted_at: now })
    .where(isThisMonth)
    .where('exhausted_at', 'is', null)
    .executeTakeFirst()
  if (first.numUpdatedRows > 0n) await mailAdministrators(db, tenantId, budget)
  return `The SMS budget of this month (${formatCount(budget)} texts) is used up.`
}

/** Sets a tenant's monthly limit of texts. Administrators are notified again if it is used up again. */
export const setSmsBudget = async (db: Db, tenantId: string, budget: number, now: Date) => {
  await db
    .insertInto('tenant_settings')
    .values({ tenant_id: tenantId, sms_monthly_budget: budget })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ sms_monthly_budget: budget }))
    .execute()
  await db
    .updateTable('sms_months')
    .set({ exhausted_at: null })
    .where('tenant_id', '=', tenantId)
    .where('month', '=', toMonth(now))
    .where('texts', '<', budget)
    .execute()
}
