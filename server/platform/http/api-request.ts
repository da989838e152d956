import type { FastifyRequest } from 'fastify'

/**
 * Whether a request is for the API. By its route: the router also accepts an encoded path such as `/%61pi/…`, and a whole
 * URL. A request without a route is judged by its path.
 */
export const isApiRequest = ({ routeOptions, url }: FastifyRequest) => (routeOptions.url ?? url).startsWith('/api/')
