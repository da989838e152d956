import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Cookies {
  read: (name: string) => string | undefined
  /** Sent to the API only, and not readable by scripts. `value` must consist of letters, digits, - and _. */
  set: (name: string, value: string, maxAgeS: number) => void
}

export const createCookies = (request: FastifyRequest, reply: FastifyReply): Cookies => ({
  read: (name) =>
    request.headers.cookie
      ?.split(/;\s*/)
      .find((pair) => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1),
  set: (name, value, maxAgeS) => {
    const secure = request.protocol === 'https' ? '; Secure' : ''
    reply.header('set-cookie', `${name}=${value}; Max-Age=${maxAgeS}; Path=/api; HttpOnly; SameSite=Strict${secure}`)
  },
})
