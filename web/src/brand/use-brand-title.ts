import { useEffect } from 'react'
import { useTenantConfig } from './tenant.ts'

/** The page comes before the site, so that tabs can be told apart. */
export function useBrandTitle(page: string) {
  const { company_name: site = 'Dishboard' } = useTenantConfig()
  useEffect(() => {
    document.title = page === '' ? site : `${page} · ${site}`
  }, [page, site])
}
