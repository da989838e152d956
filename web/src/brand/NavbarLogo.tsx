import { useState } from 'react'
import { useTenantConfig } from './tenant.ts'
import { Wordmark } from './Wordmark.tsx'

/** The tenant's logo, or the default wordmark with the company's name. */
export function NavbarLogo() {
  const { images, company_name } = useTenantConfig()
  const [broken, setBroken] = useState<string>()
  if (!images?.navbar || images.navbar === broken) return <Wordmark name={company_name ?? 'Dishboard'} />
  return <img src={images.navbar} alt={company_name ?? 'Home'} onError={() => setBroken(images.navbar)} />
}
