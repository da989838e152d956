export type Place = {
  name: string
  latitude: number
  longitude: number
  postalCode: string
  /** Hours from UTC without daylight saving. */
  utcOffset: number
  latencyMs: number
  /** Places of a region share weather and regional outages. */
  region: number
}

const place = (
  name: string,
  latitude: number,
  longitude: number,
  postalCode: string,
  latencyMs: number,
  region: number,
  utcOffset = -9,
): Place => ({ name, latitude, longitude, postalCode, utcOffset, latencyMs, region })

export const PLACES: readonly Place[] = [
  place('Anchorage', 61.2176, -149.8997, '99501', 38, 0),
  place('Fairbanks', 64.8401, -147.72, '99701', 41, 1),
  place('Juneau', 58.3005, -134.4201, '99801', 40, 2),
  place('Bethel', 60.7922, -161.7558, '99559', 47, 3),
  place('Nome', 64.5011, -165.4064, '99762', 51, 4),
  place('Kotzebue', 66.8983, -162.5967, '99752', 53, 4),
  place('Utqiaġvik', 71.2906, -156.7886, '99723', 58, 5),
  place('Deadhorse', 70.2002, -148.4597, '99734', 57, 5),
  place('Dillingham', 59.0397, -158.4575, '99576', 46, 3),
  place('King Salmon', 58.6883, -156.6614, '99613', 45, 3),
  place('Unalaska', 53.8898, -166.5422, '99685', 49, 6),
  place('Kodiak', 57.79, -152.4072, '99615', 42, 0),
  place('Sitka', 57.0531, -135.33, '99835', 40, 2),
  place('Cordova', 60.5428, -145.7575, '99574', 41, 0),
  place('McGrath', 62.9564, -155.5958, '99627', 46, 1),
  place('Galena', 64.7333, -156.9275, '99741', 47, 1),
  place('Unalakleet', 63.8731, -160.7881, '99684', 50, 4),
  place('Chevak', 61.5278, -165.5864, '99563', 50, 3),
  place('St Paul', 57.1253, -170.2844, '99660', 54, 6),
  place('Adak', 51.88, -176.6581, '99546', 57, 6, -10),
  place('Attu', 52.9025, 173.1603, '99546', 60, 6, -10),
]

export const STREETS = [
  'Front Street',
  'Second Avenue',
  'Airport Road',
  'Harbor Drive',
  'River Road',
  'Spruce Street',
  'Mission Road',
  'Tundra Loop',
  'School Road',
  'Ridgecrest Drive',
]

export const getPlace = (name: string): Place => {
  const found = PLACES.find((candidate) => candidate.name === name)
  if (!found) throw new RangeError(`No place is called ${name}`)
  return found
}

const DAY_MS = 86_400_000
const savingByYear = new Map<number, [number, number]>()

/** From the second Sunday of March to the first Sunday of November, 11:00 UTC. Exact enough for traffic patterns. */
const isDaylightSaving = (atMs: number) => {
  const year = new Date(atMs).getUTCFullYear()
  let bounds = savingByYear.get(year)
  if (!bounds) {
    bounds = [findNthSunday(year, 2, 2), findNthSunday(year, 10, 1)]
    savingByYear.set(year, bounds)
  }
  return atMs >= bounds[0] && atMs < bounds[1]
}

const findNthSunday = (year: number, month: number, nth: number) => {
  const first = new Date(Date.UTC(year, month, 1))
  return first.getTime() + (((7 - first.getUTCDay()) % 7) + (nth - 1) * 7) * DAY_MS + 11 * 3_600_000
}

export const getLocalTime = (place: Place, atMs: number) => {
  const shifted = atMs + (place.utcOffset + (isDaylightSaving(atMs) ? 1 : 0)) * 3_600_000
  const day = Math.floor(shifted / DAY_MS)
  return { hour: (shifted - day * DAY_MS) / 3_600_000, weekday: (day + 4) % 7 }
}
