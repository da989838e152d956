/** The vendor counts days in UTC. Tests run far from it, to catch code that uses the machine's local day. */
export const TEST_TIME_ZONE = 'America/Anchorage'
