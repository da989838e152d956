import { formatCount } from '#contract/format/numbers.ts'
import type { Units } from '#contract/units.ts'

const lengths = {
  metric: { short: { name: 'm', meters: 1 }, long: { name: 'km', meters: 1000 } },
  imperial: { short: { name: 'ft', meters: 0.3048 }, long: { name: 'mi', meters: 1609.344 } },
}

const maxPx = 100

/** The longest round distance that is at most 100 pixels on the map, and its width in pixels. */
export function chooseScale(metersPerPx: number, units: Units) {
  const { short, long } = lengths[units]
  const maxM = maxPx * metersPerPx
  const unit = maxM < long.meters ? short : long
  const most = maxM / unit.meters
  const power = 10 ** Math.floor(Math.log10(most))
  const count = power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1)
  return { text: `${formatCount(count)} ${unit.name}`, widthPx: (count * unit.meters) / metersPerPx }
}
