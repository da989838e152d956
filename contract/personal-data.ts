import * as z from 'zod/mini'
import { NoInput } from './basic-bodies.ts'
import { id, moment } from './codecs.ts'
import { route } from './route.ts'

/** Everything stored about a user, by table. Passwords, codes and tokens are left out. */
const PersonalData = z.object({
  exportedAt: moment,
  tenant: z.string(),
  user: z.string(),
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
})
export type PersonalData = z.output<typeof PersonalData>

export const personalData = {
  ownData: route({
    method: 'GET',
    path: '/my-data/',
    // Each export is recorded.
    writes: true,
    access: 'user',
    summary: 'Everything that is stored about the caller',
    input: NoInput,
    output: PersonalData,
  }),
  userData: route({
    method: 'GET',
    path: '/user-data/:user_id/',
    writes: true,
    access: 'admin',
    summary: 'Everything that is stored about a user of the tenant',
    input: z.strictObject({ user_id: id }),
    output: PersonalData,
  }),
  eraseUser: route({
    method: 'POST',
    path: '/erase-user/:user_id/',
    access: 'admin',
    summary: 'Delete a user and everything that is stored about them; their names in the editing log become unreadable',
    input: z.strictObject({ user_id: id }),
    /** `plainEntries`: entries of the editing log from before it held pseudonyms, which still name the user. */
    output: z.object({ message: z.string(), plainEntries: z.number() }),
  }),
}
