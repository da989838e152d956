/** Two tenants at two widths. Tests that depend on brand or layout run in all four. */
export const brands = {
  dishboard: { company: 'Dishboard', phone: '+1 907 555 0100', email: 'support@dishboard.example' },
  microcom: { company: 'Microcom', phone: '+1 907 555 0140', email: 'support@microcom.example' },
}

export const widths = [1280, 360] as const

export const displayVariants = (['dishboard', 'microcom'] as const).flatMap((tenant) =>
  widths.map((width) => ({
    tenant,
    ...brands[tenant],
    viewport: { width, height: 800 },
    title: `${tenant} at ${width} px`,
    // One of the four is enough for `npm test`.
    tag: tenant === 'dishboard' && width === 1280 ? ['@core'] : [],
  })),
)
