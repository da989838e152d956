import { expect, test } from 'vitest'
import { type MapPoint, markerSizePx, packPoints, pickPoints } from './markers.ts'

const point = (id: string, place: MapPoint['place'], status: MapPoint['status'] = 'online'): MapPoint => ({
  id,
  name: id,
  status,
  place,
})

test('grows a marker with the zoom between 8 and 40 pixels', () => {
  expect([0, 4, 7, 20].map(markerSizePx)).toEqual([8, 14, 20, 40])
})

test('puts an unknown place at 0,0', () => {
  const { x, y } = packPoints([point('lost', null)])
  expect([x[0], y[0]]).toEqual([0, expect.closeTo(0)])
})

test('picks points from a packed fleet as if there were no others', () => {
  const fleet = [point('Attu', [52.9, 173], 'offline'), point('Adak', [51.9, -176.6]), point('Nome', [64.5, -165.4])]
  const picked = pickPoints(packPoints(fleet), Uint32Array.of(0, 2))
  expect(picked).toEqual(packPoints([fleet[0] as MapPoint, fleet[2] as MapPoint]))
})
