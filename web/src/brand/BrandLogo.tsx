import { useState } from 'react'
import { useTenantConfig } from './tenant.ts'
import { Wordmark } from './Wordmark.tsx'

/** The tenant's logo; the default wordmark if there is none or it does not load. */
export function BrandLogo({ className }: { className?: string | undefined }) {
  const { images, company_name } = useTenantConfig()
  const [broken, setBroken] = useState<string>()
  const own = images?.logo !== broken ? images?.logo : undefined
  return (
    <div className={className}>
      {own ? (
        <img
          src={own}
          alt={company_name ?? ''}
          onError={() => setBroken(own)}
          style={{ maxWidth: '100%', height: '100%', objectFit: 'contain' }}
        />
      ) : (
        <Wordmark name={company_name ?? 'Dishboard'} />
      )}
    </div>
  )
}
