interface Attack {
  attack: string
  file: string
  /** Titles of the tests that refuse it, or their prefixes. `%s` stands for each of several cases. */
  tests: readonly string[]
}

const SSO = 'server/single-sign-on/single-sign-on.test.ts'
const DISHONEST = 'server/single-sign-on/dishonest-provider.slow.test.ts'
const LOGOUT = 'server/single-sign-on/backchannel-logout.test.ts'
const OUTBOUND = 'server/platform/outbound-request.test.ts'
const WEBHOOKS = 'server/webhooks/webhooks.test.ts'
const LINKS = 'server/notifications/mail-links.test.ts'
const UNSUBSCRIBE = 'server/notifications/unsubscribe.test.ts'
const PASSKEYS = 'server/factors/passkeys.test.ts'
const FACTORS = 'server/factors/factors.test.ts'
const TOKENS = 'server/api-tokens/api-tokens.test.ts'

/** Attacks on the ways to sign in and on connections to other systems, and the tests that refuse them. */
export const attacks: readonly Attack[] = [
  {
    attack: 'state mix-up: an answer of another browser, tenant or sign-in, or a second time',
    file: SSO,
    tests: ['a response counts once, in the browser and the tenant that requested it'],
  },
  {
    attack: 'replayed answer of a provider that accepts a code twice',
    file: DISHONEST,
    tests: ['a response counts once, though the provider accepts its code again'],
  },
  {
    attack: 'nonce mix-up: an ID token of another sign-in, client or issuer, or an old one',
    file: DISHONEST,
    tests: ['a token %s is refused'],
  },
  {
    attack: 'code injection, and an answer of another provider',
    file: SSO,
    tests: ['a code of another sign-in is refused, and so is a response of another provider'],
  },
  {
    attack: 'token substitution: another access token, another signer, no signature, another user’s claims',
    file: DISHONEST,
    tests: [
      'a token %s is refused',
      'a token that the provider has not signed is refused',
      'claims of somebody else are not taken for those of the user',
    ],
  },
  {
    attack: 'account linking by an address that is not verified, or that belonged to somebody else',
    file: SSO,
    tests: [
      'an account is not linked by an address that the provider has not verified',
      'whoever is given the address of a former colleague does not get their account',
    ],
  },
  {
    attack: 'forged, replayed or misdirected logout of the provider',
    file: LOGOUT,
    tests: [
      'a logout token counts once, and only at the tenant whose provider signed it',
      'a logout token %s ends nothing',
      'a logout token that the provider has not signed ends nothing',
    ],
  },
  {
    attack: 'replayed or altered webhook',
    file: WEBHOOKS,
    tests: ['a message that is replayed later, or altered, does not pass at the receiver'],
  },
  {
    attack: 'SSRF by redirect',
    file: WEBHOOKS,
    tests: ['redirects are not followed, and no address of the own network can be entered'],
  },
  {
    attack: 'SSRF by names that lead to this machine, and by DNS rebinding',
    file: OUTBOUND,
    tests: [
      'a name that leads to this machine is refused before anything is sent',
      'a name that resolves differently the next time gains nothing',
    ],
  },
  {
    attack: 'SSRF to cloud metadata, although the operator allows a private network',
    file: OUTBOUND,
    tests: ['a wide network that the operator allows does not include cloud metadata'],
  },
  {
    attack: 'SSRF by the address of a provider',
    file: DISHONEST,
    tests: ['a provider in a private network is never called unless the operator allows'],
  },
  {
    attack: 'passkey of another tenant, another origin, a copy, or a challenge used twice',
    file: PASSKEYS,
    tests: [
      'a passkey of another tenant is refused, also where both are on one host',
      'a proof for another origin, without verification of the user or with another signature is refused',
      'a counter that does not grow shows a copy',
      'a challenge is valid once, in the browser that requested it, and briefly',
    ],
  },
  {
    attack: 'TOTP replay, also by two requests at once',
    file: FACTORS,
    tests: ['a code is accepted once, also by two sign-ins at once'],
  },
  {
    attack: 'sensitive change with somebody else’s passkey, or with one proof for two sessions',
    file: PASSKEYS,
    tests: ['a sensitive change is confirmed by a passkey of the user, for this session and once'],
  },
  {
    attack: 'sensitive change with a used code, or by guessing codes',
    file: FACTORS,
    tests: [
      'a sensitive change is confirmed by a code of the app, which counts once',
      'guesses of codes that confirm a change are limited',
    ],
  },
  {
    attack: 'revoked or expired API token, or one of another tenant, in any process',
    file: TOKENS,
    tests: ['is refused when it is revoked, in every process, expired, or used at another tenant'],
  },
  {
    attack: 'API token that makes an administrator, or sets the password of another user',
    file: TOKENS,
    tests: ['no token makes an administrator, or sets the password of another'],
  },
  {
    attack: 'forged, altered or expired link in a mail',
    file: LINKS,
    tests: [
      'a link that was made up or changed is refused, and shows nothing of the user',
      'an old link, and one of a user who is gone, leads to its page without naming anybody',
    ],
  },
  {
    attack: 'forged or foreign link to unsubscribe, and unsubscribing by a mail scanner that follows links',
    file: UNSUBSCRIBE,
    tests: [
      'a link is for one user of one tenant, and cannot be made up',
      'following the link changes nothing; one POST without a session turns notifications off, a second one changes nothing more',
    ],
  },
]

const escapeCell = (text: string) => text.replaceAll('|', '\\|')

export const writeAttackTable = () =>
  [
    '## Sign-in and connections',
    '',
    'Attacks on single sign-on, second factors, API tokens and webhooks, and the tests that refuse them. They run against a real OpenID provider, one that lies, an authenticator in software and real receivers.',
    '',
    '| attack | refused by |',
    '|---|---|',
    ...attacks.map(
      ({ attack, file, tests }) =>
        `| ${escapeCell(attack)} | ${file}: ${tests.map((test) => `“${escapeCell(test.replace('%s', '…'))}”`).join('; ')} |`,
    ),
  ].join('\n')
