import { useState } from 'react'
import { useTenantConfig } from './tenant.ts'

const defaults = {
  homepage1: '/brand/coast.svg',
  homepage2: '/brand/aurora.svg',
  homepage3: '/brand/vessel.svg',
  favicon: '/brand/favicon.svg',
}

export type BrandImage = keyof typeof defaults

/** The tenant's image; the default if there is none or it does not load. */
export function useBrandImage(name: BrandImage) {
  const own = useTenantConfig().images?.[name]
  const [broken, setBroken] = useState<string>()
  const isOwn = own !== undefined && own !== broken
  return { src: isOwn ? own : defaults[name], isOwn, onError: () => setBroken(own) }
}

const collage = ['homepage1', 'homepage2', 'homepage3'] as const satisfies BrandImage[]

/** The images of the home page: all three, or the first alone. */
export function useHomeImages() {
  const { homepageImageCount = collage.length } = useTenantConfig()
  return homepageImageCount === collage.length ? collage : collage.slice(0, 1)
}

/** Behind the sign-in form: the second image, or the first if the tenant has only one. */
export function useSignInImage() {
  const { images } = useTenantConfig()
  return useBrandImage(images?.homepage1 && !images.homepage2 ? 'homepage1' : 'homepage2')
}
