/** The introduction of the API page. */
export const apiGuide = (
  scopes: Record<string, string>,
) => `The API of Dishboard. Paths work with and without the last slash.

## API tokens

Create a token in your profile, or as an administrator a token of a service on the page API Tokens. It is shown once. Send it
as a bearer token:

\`\`\`sh
curl -H "Authorization: Bearer $DISHBOARD_TOKEN" https://portal.example.com/api/terminals/
\`\`\`

\`\`\`ts
import { createClient } from './client/client.ts'

const client = createClient({ url: 'https://portal.example.com', token })
const { data } = await client.terminals.list()
\`\`\`

The folder \`client/\` of Dishboard has every call as a typed function; in other languages, any HTTP client will do.

How somebody signs in (sessions, passwords, second factors, single sign-on) and tokens themselves are for people only, and no
token makes an administrator or changes the address or password of a user. In everything else a token may do what its scopes
say and what its user may do at the moment. Each call says which scope it needs:

| scope | |
|---|---|
${Object.entries(scopes)
  .map(([scope, name]) => `| \`${scope}\` | ${name} |`)
  .join('\n')}

Failed calls have \`error\` in the body: \`token_scope\` (403) when the token lacks the scope, \`token_not_allowed\` (403) when no
token may make the call, \`token_address\` (403) when it may not be used from this address, and \`unauthorized\` (401) when it
is unknown, expired or revoked. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` say how many requests are
left in this minute; a response with 429 has \`Retry-After\`.

## Webhooks

Administrators create webhooks on the page Webhooks. Each event is sent as a POST request by the specification
[Standard Webhooks](https://www.standardwebhooks.com/); the part Events of this page has the body of each, with an example.
Check the signature and the time before you trust a request: with a library of the specification, a changed body and a request
that is replayed after five minutes are refused.

\`\`\`ts
import { Webhook } from 'standardwebhooks'

const event = new Webhook(secret).verify(body, headers)
\`\`\`

\`webhook-id\` stays the same when an event is sent again: remember it and ignore an event that you have seen.
\`webhook-timestamp\` is the time of the attempt, \`timestamp\` in the body the time of the event. Respond with a status from 200
to 299 within 15 seconds. Everything else is tried again with growing pauses for three days; \`Retry-After\` is honored, and 410
pauses the webhook. Redirects are not followed. Events can come twice and in another order than they happened. After a new
secret was created, requests have two signatures for 24 hours. New fields and events are added without a new \`version\`.`
