import { useState } from 'react'
import { useTenantConfig } from './tenant.ts'

const defaults = {
  homepage1: '/brand/coast.svg',
  homepage2: '/brand/aurora.svg',
  homepage3: '/brand/vessel.svg',
  favicon: '/brand/favicon.svg',
}

export type BrandImage = keyof typeof defaults

/** The tenant's picture; ours when the tenant has none or when it does not load. */
export function useBrandImage(name: BrandImage) {
  const own = useTenantConfig().images?.[name]
  const [broken, setBroken] = useState<string>()
  const isOwn = own !== undefined && own !== broken
  return { src: isOwn ? own : defaults[name], isOwn, onError: () => setBroken(own) }
}
