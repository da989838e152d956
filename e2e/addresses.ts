/** Visitors of a tenant without a configuration are sent here; nothing answers, the browser is caught on its way. */
export const marketingUrl = 'https://marketing.example/'

/** The scripts that a reseller brings; the browser is caught on its way here too. */
export const widgets = {
  chatbot: 'https://chatbot.example/chatbot.js',
  helpDesk: 'https://help-desk.example/widgets/4711.js',
}

/** Where the house and the simulated vendor of this run are; the setup writes it, the tests read it. */
export const addresses = {
  get url() {
    return new URL(process.env.DISHBOARD_URL as string).origin
  },
  get simulatorUrl() {
    return process.env.SIMULATOR_URL as string
  },
  /** A tile server of the tests' own. */
  get tilesUrl() {
    return process.env.TILES_URL as string
  },
}
