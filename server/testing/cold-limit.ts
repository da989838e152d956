/** What a cold dashboard with 2,000 terminals may load over the network, including the map, without tiles. */
export const COLD_LIMIT_KIB = 350
