/** The vendor counts days in UTC. Tests run far from it, so that they notice code that takes the machine's day instead. */
export const TEST_TIME_ZONE = 'America/Anchorage'
