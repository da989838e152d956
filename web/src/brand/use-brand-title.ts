import { useEffect } from 'react'
import { useTenantConfig } from './tenant.ts'

/** Sets the title of the tab. The page comes before the site, because narrow tabs truncate the end. */
export function useBrandTitle(page: string) {
  const { company_name: site = 'Dishboard' } = useTenantConfig()
  useEffect(() => {
    document.title = page === '' ? site : `${page} · ${site}`
  }, [page, site])
}
