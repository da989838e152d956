import { expect, test } from 'vitest'
import { buildMarkers, type MapPoint, markerSizePx, packPoints, pickPoints } from './markers.ts'
import { mercatorX, mercatorY, worldWidthM } from './mercator.ts'

const point = (id: string, place: MapPoint['place'], status: MapPoint['status'] = 'online'): MapPoint => ({
  id,
  name: id,
  status,
  place,
})

const packMarkers = (points: MapPoint[]) => buildMarkers(packPoints(points))

test('grows a marker with the zoom between 8 and 40 pixels', () => {
  expect([0, 4, 7, 20].map(markerSizePx)).toEqual([8, 14, 20, 40])
})

test('draws markers that need attention last', () => {
  const { order, points } = packMarkers([
    point('down', [60, -150], 'offline'),
    point('barred', [60, -150], 'disabled'),
    point('up', [60, -150], 'online'),
    point('silent', [60, -150], 'no data'),
  ])
  expect([...order].map((at) => points[at]?.id)).toEqual(['silent', 'up', 'down', 'barred'])
})

test('finds the marker under the pointer in every copy of the world', () => {
  const { nearest, points } = packMarkers([point('Attu', [52.9, 173]), point('Adak', [51.9, -176.6])])
  const found = (longitude: number, latitude: number) =>
    points[nearest(mercatorX(longitude), mercatorY(latitude), 50_000) ?? -1]?.id
  expect(found(173.1, 52.9)).toBe('Attu')
  expect(found(173.1 - 360, 52.9)).toBe('Attu')
  expect(found(183.4, 51.9)).toBe('Adak')
  expect(found(-100, 40)).toBeUndefined()
})

test('finds a marker close to the edge of the world from beyond it', () => {
  const { nearest } = packMarkers([point('edge', [0, 179.99])])
  expect(nearest(-worldWidthM / 2 + 100, 0, 5000)).toBe(0)
})

test('puts an unknown place at 0,0 and finds no marker in an empty fleet', () => {
  expect([packMarkers([point('lost', null)]).x[0], packMarkers([point('lost', null)]).y[0]]).toEqual([
    0,
    expect.closeTo(0),
  ])
  expect(packMarkers([]).nearest(0, 0, 1e6)).toBeUndefined()
})

test('draws and finds the points picked from a packed fleet as if there were no others', () => {
  const fleet = [point('Attu', [52.9, 173], 'offline'), point('Adak', [51.9, -176.6]), point('Nome', [64.5, -165.4])]
  const picked = buildMarkers(pickPoints(packPoints(fleet), Uint32Array.of(0, 2)))
  const alone = packMarkers([fleet[0] as MapPoint, fleet[2] as MapPoint])
  expect({ ...picked, nearest: 0, around: 0 }).toEqual({ ...alone, nearest: 0, around: 0 })
  expect(picked.nearest(mercatorX(-176.6), mercatorY(51.9), 50_000)).toBeUndefined()
  expect(picked.nearest(mercatorX(-165.4), mercatorY(64.5), 50_000)).toBe(1)
})
