import { terminals } from '#contract/terminals.ts'
import { call } from '../../api.ts'

/** The name of each terminal's pool, by terminal id; terminals without a pool are absent. */
export async function loadPoolNames(at: string | undefined, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const { data } = await call(terminals.details, at === undefined ? {} : { at: new Date(at) }, signal)
  return new Map(data.flatMap(({ id, virtual_plan_name }) => (virtual_plan_name ? [[id, virtual_plan_name]] : [])))
}
