/** The groups of accounts that the executive view shows. A separate file, because the router needs only these. */
export const accountGroups = ['Canadian Pool Local', 'US Pool Global', 'US Local Pool', 'Dishboard'] as const
export type AccountGroup = (typeof accountGroups)[number]
