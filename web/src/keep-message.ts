/** What the page asks the service worker to keep: its URL as it was loaded, or files that it has loaded. */
export type KeepMessage = { page: string } | { files: string[] }
