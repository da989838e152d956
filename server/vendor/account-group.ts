import type { AccountGroup } from '#contract/executive.ts'
import type { Address, Product } from '#starlink/wire.ts'

/** The division of the executive dashboard: by the country of the service address and the family of the product. */
export const getAccountGroup = (address: Address | undefined, product: Product | undefined): AccountGroup => {
  const isLocal = /\blocal\b/i.test(product?.name ?? '')
  const isGlobal = /\bglobal\b/i.test(product?.name ?? '')
  if (address?.regionCode === 'CA' && isLocal) return 'Canadian Pool Local'
  if (address?.regionCode === 'US' && isGlobal) return 'US Pool Global'
  if (address?.regionCode === 'US' && isLocal) return 'US Local Pool'
  return 'Dishboard'
}
