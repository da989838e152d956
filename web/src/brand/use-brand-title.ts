import { usePageTitle } from '../ui/use-page-title.ts'
import { useTenantConfig } from './tenant.ts'

export const useBrandTitle = (page: string) => usePageTitle(page, useTenantConfig().company_name ?? 'Dishboard')
