/** What the page asks the service worker to cache: its URL as loaded, or files that it has loaded. */
export type CacheMessage = { page: string } | { files: string[] }
