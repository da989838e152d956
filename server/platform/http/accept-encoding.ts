import { negotiate } from '@fastify/accept-negotiator'

export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity'

/** The encoding that the header `Accept-Encoding` ranks highest; among equals the first of `preferences`. */
export const negotiateEncoding = (
  acceptEncoding: string | string[] | undefined,
  preferences: readonly Encoding[],
): Encoding => negotiate<Encoding>(String(acceptEncoding ?? '').toLowerCase(), [...preferences]) ?? 'identity'
