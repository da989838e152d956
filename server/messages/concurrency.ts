/** How many messages of a tenant are sent at a time, per channel and process. */
export const CONCURRENT_MESSAGES = 2
/** For how many tenants messages are sent at a time. */
export const CONCURRENT_TENANTS = 4
