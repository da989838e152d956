/** The groups of accounts that the executive view shows. In a file of its own, because the router needs only these of it. */
export const accountGroups = ['Canadian Pool Local', 'US Pool Global', 'US Local Pool', 'Dishboard'] as const
export type AccountGroup = (typeof accountGroups)[number]
