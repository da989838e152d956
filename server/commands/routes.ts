import type { commands } from '#contract/commands.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { rebootTerminal } from './reboot.ts'
import { renameLine } from './rename-line.ts'
import { setIpPolicy } from './set-ip-policy.ts'
import { setOptIn } from './set-opt-in.ts'
import { setSnowMelt } from './set-snow-melt.ts'

export const commandHandlers: Handlers<typeof commands> = {
  setIpPolicy,
  setOptIn,
  rename: renameLine,
  reboot: rebootTerminal,
  setSnowMelt,
}
