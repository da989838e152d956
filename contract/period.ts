import * as z from 'zod/mini'

/** The periods that the charts can show. */
export const periodsMin = [15, 180, 1440, 10_080, 43_200, 86_400] as const
export type PeriodMin = (typeof periodsMin)[number]

const inDigits = ['15', '180', '1440', '10080', '43200', '86400'] as const

export const PeriodMin = z.codec(
  z.union([z.enum(inDigits), z.literal(periodsMin)], 'Please choose one of: 15, 180, 1440, 10080, 43200, 86400.'),
  z.literal(periodsMin),
  {
    decode: (value) => Number(value) as PeriodMin,
    encode: (minutes) => minutes,
  },
)
