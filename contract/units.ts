export const unitSystems = ['metric', 'imperial'] as const
export type Units = (typeof unitSystems)[number]
