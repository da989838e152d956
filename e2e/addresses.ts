/** Visitors of a tenant without a configuration are sent here; nothing answers, the browser is caught on its way. */
export const marketingUrl = 'https://marketing.example/'

/** Where the house and the simulated vendor of this run are; the setup writes it, the tests read it. */
export const addresses = {
  get url() {
    return new URL(process.env.DISHBOARD_URL as string).origin
  },
  get simulatorUrl() {
    return process.env.SIMULATOR_URL as string
  },
}
