/** Visitors of a tenant without a configuration are redirected here. The tests intercept the request. */
export const marketingUrl = 'https://marketing.example/'

/** Scripts from a reseller's own hosts. The tests intercept these requests too. */
export const widgets = {
  chatbot: 'https://chatbot.example/chatbot.js',
  helpDesk: 'https://help-desk.example/widgets/4711.js',
}

/** Addresses of this run's app, vendor simulator and tile server. The global setup writes them, the tests read them. */
export const addresses = {
  get url() {
    return new URL(process.env.DISHBOARD_URL as string).origin
  },
  get simulatorUrl() {
    return process.env.SIMULATOR_URL as string
  },
  /** The tile server from tile-server.ts. */
  get tilesUrl() {
    return process.env.TILES_URL as string
  },
}
