/** Where the provider redirects the browser after sign-in. */
export const CALLBACK_PATH = '/sso/callback'
/** Where the provider redirects the browser after logout. */
export const LOGGED_OUT_PATH = '/login'
/** Where the provider reports that a user has signed out there. */
export const BACKCHANNEL_LOGOUT_PATH = '/api/single-sign-on/backchannel-logout/'
