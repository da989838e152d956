import * as z from 'zod/mini'
import { NoInput } from './basic-bodies.ts'
import { Role } from './identity.ts'
import { route } from './route.ts'

const DemoUser = z.object({
  email: z.string(),
  password: z.string(),
  name: z.string(),
  role: Role,
  /** The customer whose terminals a user sees; an administrator sees those of all. */
  customer: z.string(),
  terminals: z.int(),
  /** What happens at sign-in: the password suffices, a mailed code is needed, or a new password has to be set. */
  signIn: z.enum(['password', 'code', 'new password']),
})
export type DemoUser = z.output<typeof DemoUser>

const DemoTenant = z.object({
  id: z.string(),
  name: z.string(),
  color: z.string(),
  terminals: z.int(),
  offline: z.int(),
  users: z.array(DemoUser),
})
export type DemoTenant = z.output<typeof DemoTenant>

/** Not part of the API: only the demo serves it, and only to its own machine. */
export const demo = {
  directory: route({
    method: 'GET',
    path: '/demo/',
    access: 'public',
    summary: 'The resellers of the demo and the users to sign in as',
    input: NoInput,
    output: z.object({
      tenants: z.array(DemoTenant),
      /** The share of the 60 days of chart history that has been written, from 0 to 1. */
      historyShare: z.number(),
    }),
  }),
}
export type DemoDirectory = z.output<typeof demo.directory.output>
