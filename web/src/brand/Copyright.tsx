import { useTenantConfig } from './tenant.ts'

export function Copyright() {
  const { company_name } = useTenantConfig()
  return (
    <>
      © {new Date().getFullYear()} {company_name ?? 'Dishboard'}
    </>
  )
}
