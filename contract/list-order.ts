/** The order in which the dashboard lists terminals. */
export const listOrders = ['name', 'worst', 'latest'] as const
export type ListOrder = (typeof listOrders)[number]
