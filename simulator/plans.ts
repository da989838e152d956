export type Plan = {
  productId: string
  name: string
  family: 'local' | 'global'
  priceUsd: number
  limitGb: number
  /** The limit is `blockCount` blocks of `blockGb`. */
  blockGb: number
  blockCount: number
  blockPriceUsd: number
}

const FAMILIES = {
  local: { label: 'Local Priority', accessUsd: 40, smallUsd: 25, largeUsd: 125 },
  global: { label: 'Global Priority', accessUsd: 150, smallUsd: 100, largeUsd: 500 },
} as const

const SIZES = [
  { label: '50 GB', blockGb: 50, blockCount: 1 },
  { label: '500 GB', blockGb: 500, blockCount: 1 },
  { label: '1 TB', blockGb: 500, blockCount: 2 },
  { label: '2 TB', blockGb: 500, blockCount: 4 },
] as const

export const PLANS: readonly Plan[] = (['local', 'global'] as const).flatMap((family) =>
  SIZES.map(({ label, blockGb, blockCount }) => {
    const { label: familyLabel, accessUsd, smallUsd, largeUsd } = FAMILIES[family]
    const blockPriceUsd = blockGb === 50 ? smallUsd : largeUsd
    return {
      productId: `${family}-priority-${label.replace(' ', '').toLowerCase()}-usd`,
      name: `${familyLabel} ${label}`,
      family,
      priceUsd: accessUsd + blockCount * blockPriceUsd,
      limitGb: blockGb * blockCount,
      blockGb,
      blockCount,
      blockPriceUsd,
    }
  }),
)

export type BlockProduct = { productId: string; family: Plan['family']; gb: number; priceUsd: number }

export const BLOCK_PRODUCTS: readonly BlockProduct[] = (['local', 'global'] as const).flatMap((family) => [
  { productId: `${family}-priority-block-50gb-usd`, family, gb: 50, priceUsd: FAMILIES[family].smallUsd },
  { productId: `${family}-priority-block-500gb-usd`, family, gb: 500, priceUsd: FAMILIES[family].largeUsd },
])

export const getOptInProductId = (plan: Plan) => `${plan.family}-priority-overage-usd`

export const getOveragePricePerGb = (plan: Plan) => (plan.family === 'local' ? 0.5 : 2)

/** The smallest plan that covers the usage, or the largest plan. */
export const choosePlan = (family: Plan['family'], monthlyGb: number): Plan => {
  const plans = PLANS.filter((plan) => plan.family === family)
  const plan = plans.find(({ limitGb }) => limitGb >= monthlyGb) ?? plans.at(-1)
  if (!plan) throw new RangeError(`No plans in ${family}`)
  return plan
}
