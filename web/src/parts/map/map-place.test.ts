import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMapPlace, readMapPlace } from './map-place.ts'
import { mercatorX, mercatorY, toPlace } from './mercator.ts'

test('a place stays the same when the map has shown it', () => {
  const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true })
  fc.assert(
    fc.property(
      degrees(84.9),
      degrees(179.9),
      fc.double({ min: 1, max: 18, noNaN: true }),
      (latitude, longitude, zoom) => {
        const text = formatMapPlace({ center: [latitude, longitude], zoom })
        const read = readMapPlace(text)
        if (!read) throw new Error(text)
        const [y, x] = read.center
        expect(formatMapPlace({ center: toPlace(mercatorX(x), mercatorY(y)), zoom: read.zoom })).toBe(text)
      },
    ),
  )
})

test('what is no place is ignored', () => {
  for (const text of ['', '1,2', 'a,b,c', '91,0,4', '0,181,4', '0,0,40']) expect(readMapPlace(text)).toBeUndefined()
})
