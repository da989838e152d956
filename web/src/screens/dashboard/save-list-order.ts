import type { ListOrder } from '#contract/list-order.ts'
import { profile } from '#contract/profile.ts'
import { call } from '../../api.ts'

export const saveListOrder = (listOrder: ListOrder) => call(profile.setListOrder, { listOrder })
