import type { maintenance } from '#contract/maintenance.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { listMaintenance } from './list-windows.ts'
import { changeMaintenance, endMaintenance, planMaintenance } from './plan-maintenance.ts'

export const maintenanceHandlers: Handlers<typeof maintenance> = {
  list: listMaintenance,
  create: planMaintenance,
  change: changeMaintenance,
  end: endMaintenance,
}
