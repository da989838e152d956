import type { apiTokens } from '#contract/api-tokens.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { createOwnToken, createServiceToken, createWallToken } from './create-token.ts'
import { listTokens } from './queries.ts'
import { revokeAnyToken, revokeOwnToken } from './revoke-token.ts'

export const apiTokenHandlers: Handlers<typeof apiTokens> = {
  listOwn: async ({ transaction, tenantId, user: { userId } }) => ({
    tokens: await transaction((db) => listTokens(db, tenantId, { userId })),
  }),
  createOwn: createOwnToken,
  revokeOwn: revokeOwnToken,
  list: async ({ transaction, tenantId }) => ({ tokens: await transaction((db) => listTokens(db, tenantId)) }),
  createService: createServiceToken,
  createWall: createWallToken,
  revoke: revokeAnyToken,
}
