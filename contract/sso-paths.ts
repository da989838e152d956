/** Where the provider sends the browser back to. */
export const CALLBACK_PATH = '/sso/callback'
/** Where a log out at the provider ends. */
export const LOGGED_OUT_PATH = '/login'
/** Where the provider itself announces that a user has signed out there. */
export const BACKCHANNEL_LOGOUT_PATH = '/api/single-sign-on/backchannel-logout/'
