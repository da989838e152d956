import { expect, test } from 'vitest'
import { type Box, NamePlacer } from './name-places.ts'

const marker = (x: number, y: number, sizePx = 30): Box => ({
  left: x - sizePx / 2,
  top: y - sizePx / 2,
  right: x + sizePx / 2,
  bottom: y + sizePx / 2,
})

test('the name of a town is below its dot, and lower where a marker stands on the town', () => {
  expect(new NamePlacer([]).place(100, 100, 40, false)).toEqual({ left: 80, middle: 114 })
  expect(new NamePlacer([marker(100, 100)]).place(100, 100, 40, false)).toEqual({ left: 80, middle: 126 })
})

test('a name moves beside or above its town rather than under a marker', () => {
  expect(new NamePlacer([marker(90, 130)]).place(100, 100, 40, false)).toEqual({ left: 106, middle: 100 })
  const around = [marker(100, 130), marker(130, 100), marker(70, 100)]
  expect(new NamePlacer(around).place(100, 100, 40, false)).toEqual({ left: 80, middle: 74 })
})

test('a name without room is left out, and so is that of a water under a marker', () => {
  const placer = new NamePlacer([marker(100, 100, 200)])
  expect(placer.place(100, 100, 40, false)).toBeUndefined()
  expect(placer.place(110, 110, 40, true)).toBeUndefined()
})

test('no name covers a more important one', () => {
  const placer = new NamePlacer([])
  placer.place(100, 100, 40, true)
  expect(placer.place(120, 100, 40, true)).toBeUndefined()
  expect(placer.place(100, 130, 40, true)).toEqual({ left: 80, middle: 130 })
})
