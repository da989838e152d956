import type { FastifyRequest } from 'fastify'

/** Whether the client already has what this tag stands for. */
export const isNotModified = (request: FastifyRequest, etag: string) =>
  (request.headers['if-none-match'] ?? '').split(',').some((known) => known.trim() === etag)
