/**
 * Stateless randomness: every draw is a hash of its purpose. So the values of any terminal at any time can be computed
 * independently and are always the same.
 */
export const hash = (seed: number, who: number, when: number, what: number): number => {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 15) ^ who, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 13) ^ when, 0x27d4eb2f)
  h = Math.imul(h ^ (h >>> 16) ^ what, 0x165667b1)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return (h ^ (h >>> 15)) >>> 0
}

/** Uniform in [0, 1). */
export const unit = (seed: number, who: number, when: number, what: number) => hash(seed, who, when, what) / 2 ** 32

export const between = (low: number, high: number, share: number) => low + (high - low) * share

export const pick = <T>(items: readonly T[], share: number): T => {
  const item = items[Math.floor(share * items.length)]
  if (item === undefined) throw new RangeError('pick() needs items and a share below 1')
  return item
}

/** Normal with mean 0 and standard deviation 1. */
export const gauss = (seed: number, who: number, when: number, what: number) =>
  Math.sqrt(-2 * Math.log(1 - unit(seed, who, when, what))) *
  Math.cos(2 * Math.PI * unit(seed, who, when, what ^ 0x55555555))

export const lognormal = (median: number, sigma: number, normal: number) => median * Math.exp(sigma * normal)

/** A one-to-one mapping of 32-bit numbers, so that distinct indexes give distinct ids that are not sequential. */
export const scramble = (index: number, salt: number): number => {
  let h = (index ^ salt) >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad)
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97)
  return (h ^ (h >>> 15)) >>> 0
}

export const round = (value: number, digits: number) => {
  const scale = 10 ** digits
  return Math.round(value * scale) / scale
}
