import type { Kind } from './activity.ts'
import { pick } from './noise.ts'

const NOUNS: Record<Exclude<Kind, 'vessel' | 'truck'>, readonly string[]> = {
  home: ['Cabin', 'Homestead', 'Bungalow', 'Duplex', 'Teacher Housing', 'Residence', 'Farmhouse', 'Apartments'],
  office: [
    'School',
    'Clinic',
    'City Hall',
    'Library',
    'Store',
    'Post Office',
    'Tribal Office',
    'Airport',
    'Fire Hall',
    'Power Plant',
  ],
  camp: ['Camp', 'Man Camp', 'Mine', 'Drill Site', 'Gravel Pit', 'Research Station'],
  lodge: ['Lodge', 'Fishing Lodge', 'Outfitters', 'Wilderness Lodge'],
}

const VESSEL_FIRST = [
  'Aurora',
  'Arctic',
  'Bering',
  'Northern',
  'Pacific',
  'Silver',
  'Golden',
  'Ocean',
  'Polar',
  'Western',
  'Cape',
  'Lady',
  'Miss',
  'Storm',
  'Kodiak',
  'Island',
  'Raven',
  'Eagle',
  'Sea',
  'Star',
]
const VESSEL_SECOND = [
  'Dawn',
  'Rose',
  'Star',
  'Fury',
  'Hunter',
  'Wind',
  'Pride',
  'Spirit',
  'Mist',
  'Tide',
  'Queen',
  'Venture',
  'Fisher',
  'Light',
  'Wave',
  'Horizon',
  'Quest',
  'Rover',
  'Petrel',
  'Gale',
]
const HAULERS = ['Dalton Hauler', 'Haul Road Tanker', 'Slope Express', 'Coldfoot Freight', 'Atigun Carrier']

export const chooseName = (kind: Kind, placeName: string, first: number, second: number): string => {
  if (kind === 'vessel') return `F/V ${pick(VESSEL_FIRST, first)} ${pick(VESSEL_SECOND, second)}`
  if (kind === 'truck') return pick(HAULERS, first)
  return `${placeName} ${pick(NOUNS[kind], first)}`
}

/** Makes names unique: the second 'Nome Clinic' becomes 'Nome Clinic 2'. */
export const createNameRegister = () => {
  const counts = new Map<string, number>()
  return (name: string): string => {
    for (;;) {
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      if (count === 1) return name
      const numbered = `${name} ${count}`
      if (!counts.has(numbered)) {
        counts.set(numbered, 1)
        return numbered
      }
    }
  }
}
