/**
 * How the vendor's 250 requests a minute for an account are shared out. Feeds, orders and commands may run in different
 * processes, which know nothing of each other's requests.
 */
export const requestsPerMinute = { feeds: 130, orders: 60, commands: 60 }
