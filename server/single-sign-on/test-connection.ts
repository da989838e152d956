import type { FastifyBaseLogger } from 'fastify'
import type { ConnectionTest } from '#contract/single-sign-on.ts'
import type { Services } from '../platform/context.ts'
import { AddressRefused } from '../platform/outbound-request.ts'
import { discover } from './provider.ts'

const listCauses = (error: unknown): Error[] => (error instanceof Error ? [error, ...listCauses(error.cause)] : [])

const describeFailure = (error: unknown) => {
  const causes = listCauses(error)
  const refusal = causes.find((cause) => cause instanceof AddressRefused)
  if (refusal) return `${refusal.message} The operator of this installation can allow others.`
  if (
    causes.some((cause) =>
      /^OAUTH_(HTTP_REQUEST|REQUEST_PROTOCOL)_FORBIDDEN$/.test(String((cause as { code?: string }).code)),
    )
  )
    return 'The address has to begin with https.'
  if (causes.some(({ message }) => message.includes('issuer does not match')))
    return 'The provider calls itself by another address. Please enter exactly the issuer that it states.'
  return 'There is no OpenID provider at this address, or it does not answer.'
}

const includes = (supported: readonly string[] | undefined, value: string) => supported?.includes(value) ?? false

/** Reads the provider's metadata. Whether client id and secret are valid shows only at a sign-in. */
export const testConnection = async (
  { services, log }: { services: Pick<Services, 'config'>; log: Pick<FastifyBaseLogger, 'warn'> },
  { issuer, scopes }: { issuer: string; scopes: string },
): Promise<ConnectionTest> => {
  try {
    const configuration = await discover(services, { issuer, clientId: 'test', clientSecret: 'test' })
    const server = configuration.serverMetadata()
    const isRefreshable =
      scopes.split(' ').includes('offline_access') && includes(server.scopes_supported, 'offline_access')
    return {
      isUsable: true,
      facts: [
        { isFine: true, text: `The provider answers and calls itself ${server.issuer}.` },
        server.code_challenge_methods_supported && !server.supportsPKCE('S256')
          ? { isFine: false, text: 'It does not know PKCE with S256, so it may refuse sign-ins.' }
          : { isFine: true, text: 'Sign-ins are protected by PKCE.' },
        isRefreshable
          ? { isFine: true, text: 'It can be asked later whether a user may still sign in.' }
          : {
              isFine: false,
              text: 'It offers no refresh tokens (scope offline_access), so users sign in again after 8 hours.',
            },
        server.end_session_endpoint
          ? { isFine: true, text: 'Logging out here also logs out at the provider.' }
          : { isFine: false, text: 'It offers no logout: a user stays signed in there.' },
        server.backchannel_logout_supported
          ? { isFine: true, text: 'Logging out there also logs out here at once, if it knows the address for that.' }
          : { isFine: false, text: 'It does not announce logouts: whoever logs out there stays signed in here.' },
      ],
    }
  } catch (error) {
    log.warn({ err: error }, 'the test of a provider failed')
    return { isUsable: false, facts: [{ isFine: false, text: describeFailure(error) }] }
  }
}
