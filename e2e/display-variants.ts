/** Two brands and two widths, so that tests that depend on brand or layout see each of them. */
export const brands = {
  dishboard: { company: 'Dishboard', phone: '+1 907 555 0100', email: 'support@dishboard.example' },
  microcom: { company: 'Microcom', phone: '+1 907 555 0140', email: 'support@microcom.example' },
}

export const widths = [1280, 360] as const

const variants = [
  { tenant: 'dishboard', width: 1280, tag: ['@core'] },
  { tenant: 'microcom', width: 360, tag: [] },
] as const

// No layout depends on the brand: the accessibility tests show the pages of each brand at both widths.
export const displayVariants = variants.map(({ tenant, width, tag }) => ({
  tenant,
  ...brands[tenant],
  viewport: { width, height: 800 },
  title: `${tenant} at ${width} px`,
  tag: [...tag],
}))
